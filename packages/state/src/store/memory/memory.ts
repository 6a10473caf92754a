// biome-ignore-all lint/suspicious/useAwait: async turns what a driver throws into a rejection, as the port says.

import { boundsOf } from '../bounds.ts'
import { encodeCursor } from '../cursor.ts'
import type { Collection, Store, StoreRecord } from '../port.ts'
import { StoreError } from '../store-error.ts'
import { bytesOf } from './ordered.ts'
import { emptyRecords, type MemoryRecords } from './records.ts'
import { indexOf, openTable, type Table, take, write } from './table.ts'

/** Keeps all records in this process. Every call does its work before it returns, which is what makes it atomic. */
export const memoryStore = (): Store => storeOver(emptyRecords())

/** The same over records that are there already. */
export function storeOver(kept: MemoryRecords): Store {
  const { tables, loaded } = kept
  let closed = false

  const tableOf = (collection: Collection<never>): Table => {
    if (closed) throw new StoreError('closed', 'the store is closed')
    const found = tables.get(collection.name)
    if (found?.declared === collection) return found
    if (found) throw new TypeError(`two kinds of record are called ${collection.name}`)
    const table = openTable(collection, kept.revision, loaded.get(collection.name))
    loaded.delete(collection.name)
    tables.set(collection.name, table)
    return table
  }

  return {
    async insert(collection, id, row, options) {
      const table = tableOf(collection)
      const there = table.slots.get(id)
      return there ? { ok: false, exists: there.record } : write(table, id, row, options?.caps)
    },
    async get(collection, id) {
      return tableOf(collection).slots.get(id)?.record ?? null
    },
    async swap(collection, id, revision, row, options) {
      const table = tableOf(collection)
      const slot = table.slots.get(id)
      return slot?.record.revision === revision
        ? write(table, id, row, options?.caps, slot)
        : { ok: false, lost: true }
    },
    async remove(collection, id, revision) {
      const table = tableOf(collection)
      const slot = table.slots.get(id)
      if (slot?.record.revision !== revision) return false
      take(table, slot)
      return true
    },
    async scan(collection, name, options) {
      const table = tableOf(collection)
      const { order } = indexOf(table, name)
      const { eq = [], limit } = options
      // Mostly nothing is there, which needs no bounds; a cursor is judged in any case.
      if (limit >= 1 && options.after == null && !order.holds(eq, 1)) return { rows: [], next: null }
      const bounds = boundsOf(collection, name, options)
      const found = order.within(bounds, eq, options.order ?? 'asc', limit + 1)
      const rows = found.slice(0, limit).map(({ id }) => table.slots.get(id)?.record as StoreRecord<never>)
      const last = found.length > limit ? found[limit - 1] : undefined
      const next = last && encodeCursor(collection.name, name, bytesOf(last).slice(bounds.eq.length))
      return { rows, next: next ?? null }
    },
    async close() {
      closed = true
      tables.clear()
      loaded.clear()
    },
  }
}
