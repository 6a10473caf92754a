import { run } from '@svc/contract/states'
import type { Store } from '@svc/state'
import { type NextWrites, openWatched } from '@svc/state/testing'
import { isRunning, type RunRow, runs } from '../catalog/run-row.ts'

/** A store that loses or breaks writes of runs when told to, and notes what the others may not know. */
export interface WatchedStore {
  readonly store: Store
  readonly next: NextWrites
  /** The terminal state that each run was given, each time that it was given one. */
  readonly ended: Map<string, RunRow['state'][]>
  /** The most runs of one session that were ever under way. */
  mostBusy(): number
}

/** Makes one over memory. */
export function openWatchedStore(): WatchedStore {
  const ended = new Map<string, RunRow['state'][]>()
  let mostBusy = 0
  const watched = openWatched(runs, async ({ id, row, before, under }) => {
    const isEnd = run.terminal.has(row.state) && before && run.active.has(before.state)
    if (isEnd) ended.set(id, [...(ended.get(id) ?? []), row.state])
    if (!isRunning(row) || row.session_uuid === null) return
    const { rows } = await under.scan(runs, 'busyBySession', { eq: [row.session_uuid], limit: 99 })
    mostBusy = Math.max(mostBusy, rows.length)
  })
  return { ...watched, ended, mostBusy: () => mostBusy }
}
