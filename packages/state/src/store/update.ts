import type { Collection, Store, StoreRecord } from './port.ts'

/** Writes of others that one change puts up with: far more than come at once, so that only a broken driver gets here. */
const TRIES_MAX = 1_000

/** What `next` of `update` returns to remove the record. */
export const REMOVE: unique symbol = Symbol('remove')

/** What becomes of a row that may be outdated; `null` where `next` throws. */
function unlessRefused<Row, Next>(next: (row: Row) => Next, row: Row): Next | null {
  try {
    return next(row)
  } catch {
    return null
  }
}

/**
 * Changes one row: reads it, asks `next` what it becomes, and writes that if nobody wrote in between, until it holds.
 * `next` gets `null` where there is no record, and what it returns is then inserted. Where it returns `null`, or the row
 * that it got, nothing is written; `REMOVE` removes the record. What `next` throws is thrown, and nothing is written.
 * Returns the record as it stands, or `null` where there is none or `next` wanted none. Throws where others wrote in
 * between 1,000 times. `known`, a record that may be outdated, spares the first read: it is only ever swapped for what
 * it becomes. Anything else that `next` makes of it, an error too, is judged again with the record that is read.
 *
 * `await update(store, windows, uuid, (row) => row && { ...row, title })`
 */
export async function update<Row>(
  store: Pick<Store, 'get' | 'insert' | 'remove' | 'swap'>,
  collection: Collection<Row>,
  id: string,
  next: (row: Readonly<Row> | null) => Readonly<Row> | typeof REMOVE | null,
  known?: StoreRecord<Row> | null,
): Promise<StoreRecord<Row> | null> {
  if (known) {
    const row = unlessRefused(next, known.row)
    if (row !== REMOVE && row !== null && row !== known.row) {
      const written = await store.swap(collection, id, known.revision, row)
      if (written.ok) return written.record
    }
  }
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const old = await store.get(collection, id)
    const row = next(old?.row ?? null)
    if (row === REMOVE) {
      if (!old || (await store.remove(collection, id, old.revision))) return null
      continue
    }
    if (row === null || row === old?.row) return row && old
    const written = old
      ? await store.swap(collection, id, old.revision, row)
      : await store.insert(collection, id, row)
    if (written.ok) return written.record
  }
  throw new Error(`a record of ${collection.name} was written by others ${TRIES_MAX} times in between`)
}
