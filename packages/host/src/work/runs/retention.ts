import { frameJournal, type RunRecord, runs } from '../../catalog/run-row.ts'
import { retentionOf } from '../engine/retention.ts'
import type { RunParts } from './parts.ts'

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

/** Forgets a run with its frames; these first, so that one that breaks off is taken up again. */
export async function forgetRun(
  { bus, store }: Pick<RunParts, 'bus' | 'store'>,
  { id, revision, row }: RunRecord,
): Promise<void> {
  await bus.journal.drop(frameJournal(row.stream_id))
  await store.remove(runs, id, revision)
}
