import { Refusal, refuse } from '@svc/contract'
import { checkUnblocked } from '../../access/users/sign-in.ts'
import type { Owner } from '../../kernel/hosts.ts'
import { jsonOf } from '../../kernel/json.ts'
import { refusalOf } from '../../kernel/refusal-of.ts'
import type { RunnerLink } from '../../machines/runners.ts'
import type { ReachedPlugin } from '../tools/reach.ts'
import type { Timeout } from '../tools/timeout.ts'
import { failed } from './ending.ts'
import { expire } from './finish.ts'
import { HeldJob } from './held-job.ts'
import { isDue, type JobRecord, type JobRow, jobs, placesOf } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import { audienceOf, notifyAudience } from './notify.ts'
import { activeOf } from './own-job.ts'

/** What a job is started with; everything in it was judged. */
export interface JobOrder {
  readonly userId: string
  readonly appId: string
  readonly plugin: ReachedPlugin
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly timeout: Timeout
  /** When it was asked for, in Unix ms, where its user was asked first: its deadline counts from then. */
  readonly calledAt?: number
  readonly clientTag: string | null
  /** The origin that the call came to. */
  readonly origin: string
}

/**
 * Takes a job on: its row is inserted under the caps of its user and of the runner, in this order, as one step.
 * It is bound to the online runner that has the plugin ready and the fewest busy places, of several to the oldest;
 * where that is full, to the next. Errors: `agent_unavailable`, `job_quota_exceeded`, `long_job_capacity`; then there
 * is no row.
 */
export async function acceptJob(parts: JobParts, order: JobOrder): Promise<JobRecord> {
  const owner = await parts.activeJobs.me()
  const runners = runnersFor(parts, order)
  if (runners.length === 0) throw noRunner(order.plugin)
  const isElsewhere = runners.length > 1 && runners.some(({ id }) => parts.links.ofOther(id))
  const stored = isElsewhere ? await activeOf(parts, order.userId) : []
  for (const { id } of bestFirst(parts, order.userId, runners, stored)) {
    const bound = await bind(parts, order, owner, id)
    if (bound === 'runner') continue
    parts.links.ofOther(id)?.elsewhere?.takeUp()
    return bound
  }
  throw tooManyAt(parts, runners)
}

/** The runners that a job may be bound to: those that a host has at this moment. */
const runnersFor = ({ links }: JobParts, { plugin }: JobOrder): readonly RunnerLink[] =>
  (plugin.links ?? [plugin.link]).filter(({ id }) => links.of(id) ?? links.ofOther(id))

/** The best runner first. What other hosts hold is in `stored` alone, and what is being accepted here is not there yet. */
function bestFirst(
  { activeJobs }: JobParts,
  userId: string,
  runners: readonly RunnerLink[],
  stored: readonly JobRecord[],
): readonly RunnerLink[] {
  if (runners.length === 1) return runners
  const busy = ({ id }: RunnerLink) =>
    Math.max(activeJobs.heldFor(userId, id), stored.filter(({ row }) => row.runner_id === id).length)
  return runners.toSorted((a, b) => busy(a) - busy(b) || a.since - b.since)
}

/** Binds the job to one runner; `runner`: it has no place. Errors: `job_quota_exceeded`. */
async function bind(
  parts: JobParts,
  { userId, appId, plugin, tool, args, timeout, calledAt, clientTag, origin }: JobOrder,
  owner: Owner,
  runnerId: string,
): Promise<JobRecord | 'runner'> {
  const { clock, limits, newId, activeJobs, store, unwritten } = parts
  const jobId = newId('job')
  const now = clock.now()
  const row: JobRow = {
    user_id: userId,
    app_id: appId,
    tool_id: plugin.tool_id,
    handle: plugin.handle,
    plugin_version: plugin.spec.version,
    runner_id: runnerId,
    agreed_once: plugin.agreedOnce ?? null,
    tool,
    args: jsonOf(args),
    state: 'queued',
    owner,
    client_tag: clientTag,
    origin,
    timeout_ms: timeout.effective,
    requested_timeout_ms: timeout.clampedFrom,
    deadline_ms: (calledAt ?? now) + timeout.effective,
    created_at: now,
    started_at: null,
    ended_at: null,
    result: null,
    error: null,
    last_seq: 0,
    dropped: 0,
    heartbeat_at: null,
  }
  const held = new HeldJob(parts, jobId, row)
  activeJobs.hold(held)
  try {
    // Nobody can end the job before it was announced: whoever wants to waits for this turn.
    return await held.turn(async () => {
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
      if (!inserted.ok) {
        if (!('full' in inserted)) throw refuse('internal_error')
        if (inserted.full === 'user') throw tooManyOfUser(parts)
        activeJobs.release(jobId, 'its runner has no place')
        return 'runner'
      }
      const { revision } = inserted.record
      const audience = audienceOf(parts, row)
      await checkUnblocked(parts, userId).catch(async (refused: unknown) => {
        await store.remove(jobs, jobId, revision)
        throw refused
      })
      held.record = inserted.record
      // What no runner of this host is for leaves it by that, and waits for the host that has the link.
      activeJobs.enqueue(held)
      notifyAudience(parts, await audience, jobId, row, row.state, [0])
      return inserted.record
    })
  } catch (error) {
    activeJobs.release(jobId, 'it was not accepted')
    // A row may be written although its insert got no response: its caller has no job id.
    if (!(error instanceof Refusal)) unwritten.set(jobId, failed(refusalOf(error).code))
    throw error
  }
}

/** At most so many jobs of a user are bound to one runner: those that run and those in its queue. */
export const runnerCap = ({ limits, links }: Pick<JobParts, 'limits' | 'links'>, row: JobRow) =>
  ({
    name: 'runner',
    index: 'activeByUser',
    eq: placesOf(row),
    max: links.slots(row.runner_id) + limits.RUNNER_QUEUE_MAX,
  }) as const

/** A job whose deadline has come takes no place, whether or not the sweeper came by. */
async function expireOf(parts: JobParts, userId: string): Promise<void> {
  for (const record of await activeOf(parts, userId))
    if (isDue(record.row, parts.clock.now())) await expire(parts, record)
}

const noRunner = ({ handle }: ReachedPlugin) =>
  refuse(
    'agent_unavailable',
    `the runner that has the plugin ${JSON.stringify(handle)} has just disconnected`,
    {
      hint: 'Try again when a runner that offers it is online.',
    },
  )

const tooManyOfUser = ({ limits: { JOBS_ACTIVE_PER_USER } }: JobParts) =>
  refuse('job_quota_exceeded', `a user may have ${JOBS_ACTIVE_PER_USER} jobs that have not ended`, {
    max: JOBS_ACTIVE_PER_USER,
    hint: 'Wait until one has ended, or cancel one.',
  })

function tooManyAt({ limits, links }: JobParts, runners: readonly RunnerLink[]) {
  const slots = runners.reduce((sum, { id }) => sum + links.slots(id), 0)
  const [what, waits] =
    runners.length === 1 ? ['the runner runs', 'lets'] : [`${runners.length} runners run`, 'let']
  return refuse(
    'long_job_capacity',
    `${what} ${slots} jobs and ${waits} ${runners.length * limits.RUNNER_QUEUE_MAX} wait`,
    {
      hint: 'Try again when a job has ended.',
    },
  )
}
