import type { Limits } from '@svc/contract'
import { frameJournal, type RunRecord, type RunRow, runs } from '../../catalog/run-row.ts'
import type { RunParts } from './parts.ts'

/**
 * How many ended runs are kept: the caps of the write that seals one. A run that never reached a model gives its quota
 * back, so the quota alone does not keep an app from filling the store. The run that is sealed is kept in any case.
 */
export const retentionCaps = (
  { RUNS_KEPT_PER_APP, RUNS_KEPT_PER_USER }: Limits,
  { user_id, app_id }: Pick<RunRow, 'user_id' | 'app_id'>,
) =>
  [
    { name: 'app', index: 'sealedByApp', eq: [user_id, app_id], max: Math.max(1, RUNS_KEPT_PER_APP) },
    { name: 'user', index: 'sealedByUser', eq: [user_id], max: Math.max(1, RUNS_KEPT_PER_USER) },
  ] as const

/** Makes room under the cap of that name, which is full: the run that ended first goes. */
export async function forgetOldest(parts: RunParts, row: RunRow, full: string): Promise<void> {
  for (const { name, index, eq } of retentionCaps(parts.limits, row)) {
    if (name !== full) continue
    const { rows } = await parts.store.scan(runs, index, { eq, limit: 1 })
    for (const oldest of rows) await forgetRun(parts, oldest)
  }
}

/** Forgets a run with its frames; these first, so that one that breaks off is taken up again. */
export async function forgetRun(
  { bus, store }: Pick<RunParts, 'bus' | 'store'>,
  { id, revision, row }: RunRecord,
): Promise<void> {
  await bus.journal.drop(frameJournal(row.stream_id))
  await store.remove(runs, id, revision)
}
