// biome-ignore-all lint/suspicious/useAwait: async turns what a driver throws into a rejection, as the port says.

import { boundsOf } from '../bounds.ts'
import { sealCursor } from '../cursor.ts'
import { frozenCopy } from '../freeze.ts'
import { above, type ByteText, encodeKey, encodePart } from '../keys.ts'
import type { Cap, Collection, Store, StoreRecord } from '../port.ts'
import { StoreError } from '../store-error.ts'
import { type Sorted, sorted } from './sorted.ts'

/** A record and where it stands in each index (`null`: nowhere), so that a write touches only what it moves. */
interface Slot {
  record: StoreRecord<never>
  entries: Map<string, ByteText | null>
}

interface Table {
  declared: Collection<never>
  slots: Map<string, Slot>
  indexes: Map<string, Sorted>
  /** The revision of the last write to any record: none is ever given twice. */
  revision: number
}

/** Keeps all records in this process. Every call does its work before it returns, which is what makes it atomic. */
export function memoryStore(): Store {
  const tables = new Map<string, Table>()
  let closed = false

  const tableOf = (collection: Collection<never>): Table => {
    if (closed) throw new StoreError('closed', 'the store is closed')
    const found = tables.get(collection.name)
    if (found?.declared === collection) return found
    if (found) throw new TypeError(`two kinds of record are called ${collection.name}`)
    const indexes = Object.keys(collection.indexes).map((name) => [name, sorted()] as const)
    const table = { declared: collection, slots: new Map(), indexes: new Map(indexes), revision: 0 }
    tables.set(collection.name, table)
    return table
  }

  const indexOf = (table: Table, name: string) => {
    const index = table.indexes.get(name)
    if (!index) throw new TypeError(`${table.declared.name} has no index ${name}`)
    return index
  }

  const slotOf = (table: Table, id: string, row: unknown): Slot => {
    const copy = frozenCopy(row) as never // any Row: a table holds one kind, and its type is left at the port
    const entries = new Map<string, ByteText | null>()
    for (const [name, keyOf] of Object.entries(table.declared.indexes)) {
      const key = keyOf(copy)
      entries.set(name, key && encodeKey(key) + encodePart(id))
    }
    return { record: Object.freeze({ id, revision: ++table.revision, row: copy }), entries }
  }

  const fullCap = (table: Table, caps: readonly Cap[] = [], next: Slot, before?: Slot) =>
    caps.find((cap) => {
      const index = indexOf(table, cap.index)
      const eq = encodeKey(cap.eq)
      const under = (slot: Slot | undefined) => slot?.entries.get(cap.index)?.startsWith(eq) ?? false
      return under(next) && !under(before) && index.rank(above(eq)) - index.rank(eq) >= cap.max
    })?.name

  const place = (table: Table, id: string, next: Slot | undefined, before?: Slot) => {
    for (const [name, index] of table.indexes) {
      const old = before?.entries.get(name)
      const entry = next?.entries.get(name)
      if (old === entry) continue
      if (old != null) index.remove(old)
      if (entry != null) index.add(entry, id)
    }
    if (next) table.slots.set(id, next)
    else table.slots.delete(id)
  }

  const holds = (slot: Slot | undefined, revision: number) => slot?.record.revision === revision

  return {
    async insert(collection, id, row, options) {
      const table = tableOf(collection)
      const there = table.slots.get(id)
      if (there) return { ok: false, exists: there.record }
      const slot = slotOf(table, id, row)
      const full = fullCap(table, options?.caps, slot)
      if (full !== undefined) return { ok: false, full }
      place(table, id, slot)
      return { ok: true, record: slot.record }
    },
    async get(collection, id) {
      return tableOf(collection).slots.get(id)?.record ?? null
    },
    async swap(collection, id, revision, row, options) {
      const table = tableOf(collection)
      const before = table.slots.get(id)
      if (!holds(before, revision)) return { ok: false, lost: true }
      const slot = slotOf(table, id, row)
      const full = fullCap(table, options?.caps, slot, before)
      if (full !== undefined) return { ok: false, full }
      place(table, id, slot, before)
      return { ok: true, record: slot.record }
    },
    async remove(collection, id, revision) {
      const table = tableOf(collection)
      const before = table.slots.get(id)
      if (!holds(before, revision)) return false
      place(table, id, undefined, before)
      return true
    },
    async scan(collection, name, options) {
      const table = tableOf(collection)
      const index = indexOf(table, name)
      const { low, high, eq } = boundsOf(collection, name, options)
      const [start, end] = [index.rank(low), index.rank(high)]
      const rows: StoreRecord<never>[] = []
      let last = ''
      for (let i = 0; i < options.limit && start + i < end; i++) {
        const found = index.at(options.order === 'desc' ? end - 1 - i : start + i)
        const slot = table.slots.get(found.id)
        if (slot) rows.push(slot.record)
        last = found.entry
      }
      const more = rows.length < end - start && rows.length > 0
      return { rows, next: more ? sealCursor(collection.name, name, last.slice(eq.length)) : null }
    },
    async close() {
      closed = true
      tables.clear()
    },
  }
}
