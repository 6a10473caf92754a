import { frozenCopy } from '../freeze.ts'
import { compareKeys } from '../keys.ts'
import type { Cap, Collection, Key, StoreRecord } from '../port.ts'
import { type Entry, type Ordered, ordered } from './ordered.ts'

/** A record and where it stands in each index (`null`: nowhere), so that a write touches only what it moves. */
export interface Slot {
  readonly record: StoreRecord<never>
  readonly entries: readonly (Entry | null)[]
}

interface Index {
  readonly name: string
  /** Its place among those of its table: that of its entry in a slot. */
  readonly at: number
  readonly keyOf: (row: never) => Key | null
  readonly order: Ordered
}

/** The records of one kind. */
export interface Table {
  readonly declared: Collection<never>
  readonly slots: Map<string, Slot>
  readonly indexes: readonly Index[]
  /** The revision of the last write to any record: none is ever given twice. */
  revision: number
}

/** Makes the table of a kind of record. */
export const openTable = (declared: Collection<never>): Table => ({
  declared,
  slots: new Map(),
  indexes: Object.entries<Index['keyOf']>(declared.indexes).map(([name, keyOf], at) => ({
    ...{ name, at, keyOf },
    order: ordered(),
  })),
  revision: 0,
})

/** An index by its name. Throws `TypeError` for one that was not declared. */
export function indexOf({ declared, indexes }: Table, name: string): Index {
  const index = indexes.find((one) => one.name === name)
  if (!index) throw new TypeError(`${declared.name} has no index ${name}`)
  return index
}

/** Writes a row in place of `before`, or answers the name of the first cap that is full. */
export function write(table: Table, id: string, row: unknown, caps: readonly Cap[] = [], before?: Slot) {
  const copy = frozenCopy(row) as never // any Row: a table holds one kind, and its type is left at the port
  const entries = table.indexes.map(({ at, keyOf }) => entryOf(id, keyOf(copy), before?.entries[at]))
  for (const cap of caps)
    if (isFull(table, cap, entries, before)) return { ok: false, full: cap.name } as const
  move(table, entries, before)
  table.revision += 1
  const record = Object.freeze({ id, revision: table.revision, row: copy })
  table.slots.set(id, { record, entries })
  return { ok: true, record } as const
}

/** Takes a record out. */
export function take(table: Table, slot: Slot): void {
  move(table, [], slot)
  table.slots.delete(slot.record.id)
}

/** A key that did not change keeps its place. */
function entryOf(id: string, key: Key | null, before: Entry | null | undefined): Entry | null {
  if (!key) return null
  if (before && compareKeys(before.key, key) === 0) return before
  if (key.includes(Number.NaN)) throw new TypeError('a key part must be a number that has an order, got NaN')
  return { id, key, bytes: null }
}

function isFull(table: Table, cap: Cap, entries: Slot['entries'], before: Slot | undefined): boolean {
  const { at, order } = indexOf(table, cap.index)
  const isUnder = (entry: Entry | null | undefined) =>
    !!entry && compareKeys(entry.key, cap.eq, cap.eq.length) === 0
  return isUnder(entries[at]) && !isUnder(before?.entries[at]) && order.holds(cap.eq, cap.max)
}

function move({ indexes }: Table, entries: Slot['entries'], before: Slot | undefined): void {
  for (const { at, order } of indexes) {
    const old = before?.entries[at]
    const next = entries[at]
    if (old === next) continue
    if (old) order.remove(old)
    if (next) order.add(next)
  }
}
