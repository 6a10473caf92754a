import type { Collection, Store, StoreRecord } from './port.ts'

/**
 * Changes one row: reads it, asks `next` what it becomes, and writes that if nobody wrote in between, until it holds.
 * `next` gets `null` where there is no record, and what it returns is then inserted. Where it returns `null`, or the row
 * that it got, nothing is written. Returns the record as it stands, or `null` where there is none or `next` wanted none.
 *
 * `await update(store, windows, uuid, (row) => row && { ...row, title })`
 */
export async function update<Row>(
  store: Pick<Store, 'get' | 'insert' | 'swap'>,
  collection: Collection<Row>,
  id: string,
  next: (row: Readonly<Row> | null) => Readonly<Row> | null,
): Promise<StoreRecord<Row> | null> {
  for (;;) {
    const old = await store.get(collection, id)
    const row = next(old?.row ?? null)
    if (row === null || row === old?.row) return row && old
    const written = old
      ? await store.swap(collection, id, old.revision, row)
      : await store.insert(collection, id, row)
    if (written.ok) return written.record
  }
}
