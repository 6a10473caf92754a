import { job } from '@svc/contract/states'
import { isSameOwner } from '../../kernel/hosts.ts'
import { writeEnd } from '../engine/retention.ts'
import { type Ending, expired } from './ending.ts'
import type { HeldJob } from './held-job.ts'
import { isDue, type JobRecord, type JobRow, jobs } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import { END, progressJournal, readLife } from './journals.ts'
import { notifyState } from './notify.ts'
import { retention } from './retention.ts'

/** How an attempt to end a job went: `won` by the one that ended it; the record as it is now, `null`: forgotten. */
export interface FinishResult {
  readonly won: boolean
  readonly record: JobRecord | null
}

/**
 * The one way to end a job. The table of states says whether it may, a compare-and-set who was first,
 * and the winner alone sends the terminal event; the others find it ended and do nothing. At the deadline or later
 * a job can only expire. `may` looks once more at the row that is to be ended.
 */
export function finish(
  parts: JobParts,
  jobId: string,
  ending: Ending,
  may: (row: JobRow) => boolean = () => true,
): Promise<FinishResult> {
  const held = parts.activeJobs.get(jobId)
  const work = () => end(parts, jobId, ending, may)
  return held ? held.turn(work) : work()
}

/** Ends a job whose deadline has come. */
export const expire = (parts: JobParts, { id, row }: JobRecord): Promise<FinishResult> =>
  finish(parts, id, expired(row, parts.limits))

async function end(
  parts: JobParts,
  jobId: string,
  wanted: Ending,
  may: (row: JobRow) => boolean,
): Promise<FinishResult> {
  const { audit, bus, clock, activeJobs, limits, metrics, store } = parts
  // Starts from the row that this host wrote last; if the write is refused, the row is read.
  for (let known = activeJobs.get(jobId)?.record ?? null; ; known = null) {
    const record = known ?? (await store.get(jobs, jobId))
    if (!record) return { won: false, record }
    const { row } = record
    const now = clock.now()
    const ending = now >= row.deadline_ms ? expired(row, limits) : wanted
    const state = job.next(row.state, ending.event)
    if (state === null || !may(row)) {
      if (known) continue
      return { won: false, record }
    }
    const held = heldAs(activeJobs.get(jobId), row)
    const life = held?.life ?? (await readLife(bus.journal, jobId))
    const { result, error } = ending
    const { last_seq, dropped, heartbeat_at } = life
    const ended: JobRow = {
      ...row,
      state,
      args: null,
      ended_at: now,
      result,
      error,
      last_seq,
      dropped,
      heartbeat_at,
    }
    const written = await writeEnd(parts, retention, record, ended)
    if (!written) continue
    if (!held) await endJournal(parts, jobId, ended, ending.reason)
    activeJobs.release(jobId, ending.reason)
    await notifyState(parts, jobId, ended, life.last_seq)
    metrics.jobEnded(state)
    audit.note('job.end', row.user_id, state, {
      app_id: row.app_id,
      target: row.tool_id,
      method: row.tool,
      ms: now - row.created_at,
    })
    if (life.last_seq > 0) await trimProgress(parts, jobId)
    return { won: true, record: written }
  }
}

/** A job that is held here; one that another host took over, unknown to this one so far, is not. */
const heldAs = (held: HeldJob | undefined, { owner }: JobRow) =>
  held && isSameOwner(held.owner, owner) ? held : undefined

/** Removes what is too much of the progress of a job that has ended: as many as such jobs are kept. */
async function trimProgress({ bus, limits, log }: JobParts, jobId: string): Promise<void> {
  const kept = { keep: limits.PROGRESS_KEPT, maxBytes: limits.PROGRESS_ENDED_MAX_BYTES }
  await bus.journal.trim(progressJournal(jobId), kept).catch((err: unknown) => {
    log.warn({ err, job: jobId }, 'the progress of a job that has ended could not be trimmed')
  })
}

/** Ends the journal of a job that another host holds, so that its late progress is refused, and notifies that host. */
async function endJournal(
  { bus, log }: JobParts,
  jobId: string,
  { owner, last_seq }: JobRow,
  reason: string,
): Promise<void> {
  try {
    for (let seq = last_seq + 1; ; ) {
      const written = await bus.journal.append(progressJournal(jobId), seq, [END])
      if (written.ok) break
      // Progress came in before the job had ended: behind it, then.
      seq = written.refused + 1
    }
    await bus.publish(stopTopic(owner.host_id), JSON.stringify([jobId, reason] satisfies Stop))
  } catch (err) {
    log.warn({ err, job: jobId, host: owner.host_id }, 'the host of a job was not notified that it has ended')
  }
}

/** The message to a host about a job of its own that another host ended. */
export type Stop = readonly [jobId: string, reason: string]

/** Where a host is notified of it. */
export const stopTopic = (hostId: string): string => `jobs:${hostId}`

/** A job as it is now: its deadline counts whether or not the sweeper came by. */
export async function currentJob(parts: JobParts, record: JobRecord): Promise<JobRecord | null> {
  return isDue(record.row, parts.clock.now()) ? (await expire(parts, record)).record : record
}
