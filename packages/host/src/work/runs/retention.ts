import { each } from '@svc/state'
import { frameJournal, type RunRecord, runs } from '../../catalog/run-row.ts'
import { bestEffort } from '../engine/best-effort.ts'
import { forgetEnded, retentionOf } from '../engine/retention.ts'
import { ended } from './ending.ts'
import { messages } from './messages.ts'
import type { RunParts } from './runs.ts'

/**
 * How many ended runs are kept. A run that never reached a model gives its quota back, so the quota alone does not keep
 * an app from filling the store.
 */
export const retention = retentionOf({
  collection: runs,
  byApp: 'closedByApp',
  byUser: 'closedByUser',
  max: ({ RUNS_KEPT_PER_APP, RUNS_KEPT_PER_USER }) => ({ app: RUNS_KEPT_PER_APP, user: RUNS_KEPT_PER_USER }),
  forget: forgetRun,
})

/** Forgets a run with its frames; these first, so that the next sweep finishes one that was interrupted. */
export async function forgetRun(
  { bus, store }: Pick<RunParts, 'bus' | 'store'>,
  { id, revision, row }: RunRecord,
): Promise<void> {
  // Of one that has ended they may be gone already.
  if (!row.stream_closed || row.frames_until !== null) await bus.journal.drop(frameJournal(row.stream_id))
  await store.remove(runs, id, revision)
}

/** Forgets frames `STREAM_RETAIN_MS` after their end, and runs `RUN_KEPT_MS` after theirs. */
export async function forgetRuns(parts: RunParts): Promise<void> {
  const { clock, limits, store } = parts
  const limit = limits.CLEAN_RECORDS_MAX
  for await (const record of each(store, runs, 'framesUntil', { to: clock.now(), limit }))
    await bestEffort(parts, 'the frames of a run are deleted later', () => forgetFrames(parts, record))
  await forgetEnded(parts, retention, 'endedAt', limits.RUN_KEPT_MS)
}

async function forgetFrames({ bus, store }: RunParts, { id, revision, row }: RunRecord): Promise<void> {
  await bus.journal.drop(frameJournal(row.stream_id))
  await store.swap(runs, id, revision, { ...row, frames_until: null })
}

/** Forgets the runs of a session with their frames, and what was said in it. */
export async function forgetSession(parts: RunParts, uuid: string): Promise<void> {
  const { limits, activeRuns, store } = parts
  const range = { eq: [uuid], limit: limits.CLEAN_RECORDS_MAX }
  for (;;) {
    const { rows } = await store.scan(runs, 'bySession', range)
    for (const record of rows) {
      activeRuns.get(record.id)?.stop(ended)
      await forgetRun(parts, record)
    }
    if (rows.length === 0) break
  }
  for (;;) {
    const { rows } = await store.scan(messages, 'bySession', range)
    for (const { id, revision } of rows) await store.remove(messages, id, revision)
    if (rows.length === 0) return
  }
}
