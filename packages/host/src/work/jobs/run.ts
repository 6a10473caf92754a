import { parseKeeping } from '@svc/contract/exact-json'
import { job } from '@svc/contract/states'
import type { JobInput } from '@svc/runner'
import { BLOCKED, isShutOut } from '../../access/users/sign-in.ts'
import { isSameOwner } from '../../kernel/hosts.ts'
import type { RunnerLink } from '../../machines/runners.ts'
import type { KnownPlugin } from '../../plugins/deployments/plugins.ts'
import type { Samplings } from '../sampling/samplings.ts'
import { unagreedRefusal } from '../tools/agreed.ts'
import { cancelled, disconnected, type Ending, endingOf, failed } from './ending.ts'
import { finish } from './finish.ts'
import type { HeldJob } from './held-job.ts'
import { isActive, isDue, type JobRow, jobs } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import { notifyState } from './notify.ts'

/** A job as it was begun; without a plugin it was not, for there is none to run it with, or its user is shut out. */
interface StartedJob {
  readonly row: JobRow
  readonly plugin: KnownPlugin | undefined
  readonly isShutOut?: boolean
}

/**
 * Runs one job that has its slot: row, process, outcome. Never rejects; `false`: its runner went, or the row could not
 * be written, and no process was started.
 */
export async function runJob(parts: JobParts, held: HeldJob): Promise<boolean> {
  const { links, log, activeJobs, unwritten } = parts
  const { id: jobId, runnerId } = held
  let begun: StartedJob | null
  try {
    if (!links.of(runnerId)) return false
    begun = await held.turn(() => begin(parts, held))
  } catch (err) {
    log.error({ err, job: jobId }, 'a job could not be started and is tried again')
    return false
  }
  if (!begun || held.isOver) {
    activeJobs.release(jobId, 'it is not run here any more')
    return true
  }
  const ending = await endingFrom(parts, held, begun)
  if (held.isOver) return true
  try {
    await finish(parts, jobId, ending)
    activeJobs.release(jobId, ending.reason)
  } catch (err) {
    log.error({ err, job: jobId }, 'the end of a job could not be written and is tried again')
    unwritten.set(jobId, ending)
  }
  return true
}

/**
 * Stores that the job runs, before its process exists: whatever happens after this it is never run again. `null`: it
 * has ended, or another host has taken it.
 */
async function begin(parts: JobParts, held: HeldJob): Promise<StartedJob | null> {
  const { clock, hosts, plugins, store } = parts
  const { id: jobId, owner } = held
  if ((hosts.known() ?? (await hosts.me())).epoch !== owner.epoch) return null
  for (;;) {
    const record = held.record ?? (await store.get(jobs, jobId))
    held.record = null
    if (!record) return null
    const { row, revision } = record
    const now = clock.now()
    const isOurs = isSameOwner(row.owner, owner)
    if (!isActive(row) || !isOurs || held.isOver || isDue(row, now)) return null
    // A block that comes behind this finds the job as one that runs.
    const [isOut, plugin] = await Promise.all([isShutOut(parts, row.user_id), plugins.bound(row)])
    if (isOut) return { row, plugin: undefined, isShutOut: true }
    if (!plugin) return { row, plugin }
    const state = job.next(row.state, 'start')
    // Running already: this was tried before, and only the answer of the store was lost.
    const next = state === null ? row : { ...row, state, started_at: now }
    if (state !== null) {
      const swapped = await store.swap(jobs, jobId, revision, next)
      if (!swapped.ok) continue
      held.record = swapped.record
    }
    await notifyState(parts, jobId, next, 0)
    return { row: next, plugin }
  }
}

/** Runs the job in its plugin, over the link that its runner has at this moment. */
async function endingFrom(parts: JobParts, held: HeldJob, begun: StartedJob): Promise<Ending> {
  const { row, plugin } = begun
  if (begun.isShutOut) return cancelled(BLOCKED)
  const { handle, plugin_version, runner_id } = row
  const refusal = plugin && unagreedRefusal(plugin)
  if (refusal) return failed('permission_denied', refusal.message, refusal.details)
  if (!plugin)
    return failed(
      'agent_unavailable',
      `no runner has the plugin ${JSON.stringify(handle)} at version ${plugin_version} any more`,
    )
  const link = parts.links.of(runner_id)
  if (!link) return disconnected()
  return await held.run(link, (signal) => outcomeOf(parts, held, row, { plugin, link, signal }))
}

async function outcomeOf(
  { events, limits, log, samplings }: JobParts,
  held: HeldJob,
  row: JobRow,
  { plugin, link, signal }: { plugin: KnownPlugin; link: RunnerLink; signal: AbortSignal },
): Promise<Ending> {
  const { id: jobId } = held
  // A start of a process holds up this thread: its pages hear first that the job runs.
  await events.lead(row.user_id)
  let sampling: ReturnType<Samplings['open']> = null
  try {
    sampling = samplings.open({
      userId: row.user_id,
      appId: row.app_id,
      windowUuid: null,
      origin: row.origin,
      plugin,
      invokeId: jobId,
      deadlineMs: row.deadline_ms,
    })
    const outcome = await link.runner.job({
      userId: row.user_id,
      plugin: plugin.spec,
      tool: row.tool,
      args: parseKeeping(row.args ?? '{}') as JobInput['args'],
      jobId,
      timeoutMs: row.timeout_ms,
      deadlineMs: row.deadline_ms,
      maxResultBytes: limits.ASYNC_RESULT_MAX_BYTES,
      signal,
      onStarted: () => held.started(),
      onProgress: (progress) => held.progress(progress),
      onDropped: (count) => held.dropped(count),
      onHeartbeat: () => held.heartbeat(),
      ...(sampling && { subcalls: sampling.subcalls }),
    })
    return endingOf(outcome, row, limits)
  } catch (err) {
    log.error({ err, job: jobId }, 'a runner failed while it ran a job')
    return failed('plug_unavailable', 'the runner of this job failed')
  } finally {
    sampling?.close()
  }
}
