import { memoryStore } from '../store/memory/memory.ts'
import type { Collection, Store } from '../store/port.ts'

/** What happens to the next writes of the records that are watched, so many of each. */
export interface NextWrites {
  /** Somebody else writes the row first. */
  lose: number
  /** They are not done. */
  fail: number
  /** They are done, and their answers are lost. */
  deafen: number
}

/** A write that was done; `before` is the row that it replaced. */
export interface WatchedWrite<Row> {
  readonly id: string
  readonly row: Row
  readonly before: Row | null
  /** The store without anybody who watches. */
  readonly under: Store
}

/** A store in memory that loses or breaks writes of one kind of record when told to; `note` hears of those that were done. */
export function openWatched<Row>(
  watched: Collection<Row>,
  note: (written: WatchedWrite<Row>) => void | Promise<void>,
): { readonly store: Store; readonly next: NextWrites } {
  const under = memoryStore()
  const next: NextWrites = { lose: 0, fail: 0, deafen: 0 }

  const takes = (what: keyof NextWrites): boolean => {
    if (next[what] === 0) return false
    next[what] -= 1
    return true
  }
  async function write<T extends { ok: boolean }>(
    id: string,
    row: unknown,
    work: () => Promise<T>,
  ): Promise<T> {
    if (takes('fail')) throw new Error('the store is away')
    const before = (await under.get(watched, id))?.row ?? null
    const written = await work()
    if (written.ok) await note({ id, row: row as Row, before, under })
    if (takes('deafen')) throw new Error('the answer was lost')
    return written
  }

  const store: Store = {
    ...under,
    insert(collection, id, row, options) {
      const work = () => under.insert(collection, id, row, options)
      return (collection as unknown) === watched ? write(id, row, work) : work()
    },
    swap(collection, id, revision, row, options) {
      const work = () => under.swap(collection, id, revision, row, options)
      if ((collection as unknown) !== watched) return work()
      return write(id, row, async () => {
        const now = takes('lose') ? await under.get(collection, id) : null
        if (now) await under.swap(collection, id, now.revision, now.row)
        return work()
      })
    },
  }
  return { store, next }
}
