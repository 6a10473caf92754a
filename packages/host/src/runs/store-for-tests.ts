import { run } from '@svc/contract/states'
import { memoryStore } from '../store/drivers/memory.ts'
import type { Store } from '../store/port.ts'
import { isRunning, type RunRow, runs } from './run-row.ts'

/** What happens to the next writes of runs, so many of each. */
export interface NextWrites {
  /** Somebody else writes the row first. */
  lose: number
  /** They are not done. */
  fail: number
  /** They are done, and their answers are lost. */
  deafen: number
}

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
  const under = memoryStore()
  const next: NextWrites = { lose: 0, fail: 0, deafen: 0 }
  const ended = new Map<string, RunRow['state'][]>()
  let mostBusy = 0

  const takes = (what: keyof NextWrites): boolean => {
    if (next[what] === 0) return false
    next[what] -= 1
    return true
  }
  async function write<T extends { ok: boolean }>(
    work: () => Promise<T>,
    note: () => Promise<void>,
  ): Promise<T> {
    if (takes('fail')) throw new Error('the store is away')
    const written = await work()
    if (written.ok) await note()
    if (takes('deafen')) throw new Error('the answer was lost')
    return written
  }

  const store: Store = {
    ...under,
    insert(collection, id, row, options) {
      const work = () => under.insert(collection, id, row, options)
      return (collection as unknown) === runs ? write(work, async () => {}) : work()
    },
    async swap(collection, id, revision, row, options) {
      if ((collection as unknown) !== runs) return under.swap(collection, id, revision, row, options)
      const before = await under.get(runs, id)
      const after = row as unknown as RunRow
      return write(
        async () => {
          const now = takes('lose') ? await under.get(collection, id) : null
          if (now) await under.swap(collection, id, now.revision, now.row)
          return under.swap(collection, id, revision, row, options)
        },
        async () => {
          const isEnd = run.terminal.has(after.state) && before && run.active.has(before.row.state)
          if (isEnd) ended.set(id, [...(ended.get(id) ?? []), after.state])
          if (!isRunning(after) || after.session_uuid === null) return
          const { rows } = await under.scan(runs, 'busyBySession', { eq: [after.session_uuid], limit: 99 })
          mostBusy = Math.max(mostBusy, rows.length)
        },
      )
    },
  }
  return { store, next, ended, mostBusy: () => mostBusy }
}
