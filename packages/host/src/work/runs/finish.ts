import { run } from '@svc/contract/states'
import { update } from '@svc/state'
import { type RunRecord, runs } from '../../catalog/run-row.ts'
import type { Ending } from './ending.ts'
import type { RunParts } from './parts.ts'

/** How an attempt to end a run went: `won` by the one that ended it; the record as it is now, `null`: forgotten. */
export interface FinishResult {
  readonly won: boolean
  readonly record: RunRecord | null
}

/**
 * The one way to end a run: the table of states says whether it may, a compare-and-set who was first. Its last frames
 * follow what stands in the row.
 */
export async function finish(
  { clock, store }: Pick<RunParts, 'clock' | 'store'>,
  id: string,
  { event, code }: Ending,
): Promise<FinishResult> {
  let won = false
  const record = await update(store, runs, id, (row) => {
    const state = row && run.next(row.state, event)
    won = state !== null
    return row && state ? { ...row, state, ended_at: clock.now(), error_code: code } : row
  })
  return { won, record }
}
