import { Refusal, refuse } from '@svc/contract'
import type { Reached } from '../tools/reach.ts'
import type { Timeout } from '../tools/timeout.ts'
import { failed } from './ending.ts'
import { expire } from './finish.ts'
import { holdJob } from './held-job.ts'
import { isDue, type JobRecord, type JobRow, jobs } from './job-row.ts'
import { activeOf, type JobParts } from './parts.ts'
import { tellState } from './tell.ts'

/** What a job is started with; everything in it was judged. */
export interface JobOrder {
  readonly userId: string
  readonly appId: string
  readonly plugin: Reached
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly timeout: Timeout
  readonly clientTag: string | null
  /** The origin that the call came to. */
  readonly origin: string
}

/**
 * Takes a job on: its row is inserted under the caps of its user and of the runner, in this order, as one step
 * (decisions 9 and 32f). Errors: `job_quota_exceeded`, `long_job_capacity`; then there is no row.
 */
export async function acceptJob(parts: JobParts, order: JobOrder): Promise<JobRecord> {
  const { clock, limits, newId, roster, store, unwritten } = parts
  const { userId, appId, plugin, tool, args, timeout, clientTag, origin } = order
  const owner = await parts.me()
  const jobId = newId('job')
  const named = { user_id: userId, app_id: appId, tool_id: plugin.tool_id }
  const held = holdJob(parts, jobId, owner, named)
  roster.hold(held)
  try {
    // Nobody can end the job before it was announced: whoever wants to waits for this turn.
    return await held.turn(async () => {
      const now = clock.now()
      const row: JobRow = {
        ...named,
        handle: plugin.handle,
        plugin_version: plugin.spec.version,
        runner_id: plugin.link.id,
        tool,
        args: JSON.stringify(args),
        state: 'queued',
        owner,
        client_tag: clientTag,
        origin,
        timeout_ms: timeout.effective,
        requested_timeout_ms: timeout.clampedFrom,
        deadline_ms: now + timeout.effective,
        created_at: now,
        started_at: null,
        ended_at: null,
        result: null,
        error: null,
        last_seq: 0,
        dropped: 0,
        heartbeat_at: null,
      }
      const caps = [
        { name: 'user', index: 'activeByUser', eq: [userId], max: limits.JOBS_ACTIVE_PER_USER } as const,
        runnerCap(parts, row),
      ]
      const insert = () => store.insert(jobs, jobId, row, { caps })
      let inserted = await insert()
      if (!inserted.ok && 'full' in inserted) {
        await expireOf(parts, userId)
        inserted = await insert()
      }
      if (!inserted.ok) throw 'full' in inserted ? tooMany(parts, inserted.full) : refuse('internal_error')
      held.record = inserted.record
      roster.enqueue(held)
      await tellState(parts, jobId, row, 0)
      return inserted.record
    })
  } catch (error) {
    roster.letGo(jobId, 'it was not accepted')
    // A row whose insert was not answered may stand all the same: its caller was told of no job.
    if (!(error instanceof Refusal)) unwritten.set(jobId, failed('internal_error'))
    throw error
  }
}

/** At most so many jobs of a user are bound to one runner: those that run and those in its queue. */
export const runnerCap = ({ limits }: Pick<JobParts, 'limits'>, { user_id, owner }: JobRow) =>
  ({
    name: 'runner',
    index: 'activeByUser',
    eq: [user_id, owner.host_id, owner.epoch],
    max: limits.JOBS_RUNNING_PER_RUNNER + limits.RUNNER_QUEUE_MAX,
  }) as const

/** A job whose deadline has come takes no place, whether or not the sweeper came by (decision 3). */
async function expireOf(parts: JobParts, userId: string): Promise<void> {
  for (const record of await activeOf(parts, userId))
    if (isDue(record.row, parts.clock.now())) await expire(parts, record)
}

const tooMany = ({ limits }: JobParts, cap: string) =>
  cap === 'user'
    ? refuse(
        'job_quota_exceeded',
        `a user may have ${limits.JOBS_ACTIVE_PER_USER} jobs that have not ended`,
        { max: limits.JOBS_ACTIVE_PER_USER, hint: 'Wait until one has ended, or cancel one.' },
      )
    : refuse(
        'long_job_capacity',
        `the runner runs ${limits.JOBS_RUNNING_PER_RUNNER} jobs and lets ${limits.RUNNER_QUEUE_MAX} wait`,
        { hint: 'Try again when a job has ended.' },
      )
