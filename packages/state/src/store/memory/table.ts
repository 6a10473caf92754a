import { frozenCopyAfter } from '../freeze.ts'
import { compareKeys } from '../keys.ts'
import type { Cap, Collection, Key, KeyPart, StoreRecord } from '../port.ts'
import { type Entry, type OrderedIndex, ordered } from './ordered.ts'

/** A record and where it stands in each index (`null`: nowhere), so that a write touches only what it moves. */
export interface Slot {
  readonly record: StoreRecord<never>
  readonly entries: readonly (Entry | null)[]
  readonly weight: number
}

interface Index {
  readonly name: string
  /** Its place among those of its table: that of its entry in a slot. */
  readonly at: number
  readonly keyOf: (row: never) => Key | null
  readonly order: OrderedIndex
  /** What the rows weigh together whose key begins with this part; those that weigh nothing have no entry. */
  readonly weights: Map<KeyPart | undefined, number>
}

/** The records of one kind. */
export interface Table {
  readonly declared: Collection<never>
  readonly slots: Map<string, Slot>
  readonly indexes: readonly Index[]
  readonly byName: ReadonlyMap<string, Index>
  /** The revision of the last write to any record: none is ever given twice. */
  revision: number
}

/** Makes the table of a kind of record, with records that were there before; later writes get revisions above `revision`. */
export function openTable(
  declared: Collection<never>,
  revision: number,
  records: readonly StoreRecord<unknown>[] = [],
): Table {
  const indexes = Object.entries<Index['keyOf']>(declared.indexes).map(([name, keyOf], at) => ({
    name,
    at,
    keyOf,
    order: ordered(),
    weights: new Map(),
  }))
  const byName = new Map(indexes.map((index) => [index.name, index]))
  const table = { declared, slots: new Map<string, Slot>(), indexes, byName, revision }
  for (const record of records) {
    const next = entriesOf(table, record.id, record.row as never)
    move(table, next, undefined)
    table.slots.set(record.id, { record: record as StoreRecord<never>, ...next })
  }
  return table
}

/** An index by its name. Throws `TypeError` for one that was not declared. */
export function indexOf({ declared, byName }: Table, name: string): Index {
  const index = byName.get(name)
  if (!index) throw new TypeError(`${declared.name} has no index ${name}`)
  return index
}

/** Writes a row in place of `before`, or returns the name of the first cap that is full. */
export function write(table: Table, id: string, row: unknown, caps: readonly Cap[] = [], before?: Slot) {
  const copy = frozenCopyAfter(row, before?.record.row) as never // any Row: a table holds one kind, and its type is left at the port
  const next = entriesOf(table, id, copy, before)
  for (const cap of caps) if (isFull(table, cap, next, before)) return { ok: false, full: cap.name } as const
  move(table, next, before)
  table.revision += 1
  const record = Object.freeze({ id, revision: table.revision, row: copy })
  table.slots.set(id, { record, entries: next.entries, weight: next.weight })
  return { ok: true, record } as const
}

/** Takes a record out. */
export function take(table: Table, slot: Slot): void {
  move(table, { entries: [], weight: 0 }, slot)
  table.slots.delete(slot.record.id)
}

function entriesOf({ declared, indexes }: Table, id: string, row: never, before?: Slot): RowEntries {
  return {
    entries: indexes.map(({ at, keyOf }) => entryOf(id, keyOf(row), before?.entries[at])),
    weight: declared.weight?.(row) ?? 0,
  }
}

/** A key that did not change keeps its place. */
function entryOf(id: string, key: Key | null, before: Entry | null | undefined): Entry | null {
  if (!key) return null
  if (before && compareKeys(before.key, key) === 0) return before
  if (key.includes(Number.NaN)) throw new TypeError('a key part must be a number that has an order, got NaN')
  return { id, key, bytes: null }
}

/** Where a row comes to stand, and what it weighs. */
type RowEntries = Pick<Slot, 'entries' | 'weight'>

function isFull(table: Table, cap: Cap, next: RowEntries, before: RowEntries | undefined): boolean {
  const { at, order, weights } = indexOf(table, cap.index)
  const comes = isUnder(cap.eq, next.entries[at])
  const stood = isUnder(cap.eq, before?.entries[at])
  if (cap.of !== 'weight') return comes && !stood && order.holds(cap.eq, cap.max)
  const added = (comes ? next.weight : 0) - (stood ? (before?.weight ?? 0) : 0)
  return added > 0 && (weights.get(cap.eq[0]) ?? 0) + added > cap.max
}

const isUnder = (eq: Key, entry: Entry | null | undefined): boolean =>
  !!entry && compareKeys(entry.key, eq, eq.length) === 0

function move({ indexes }: Table, next: RowEntries, before: RowEntries | undefined): void {
  for (const { at, order, weights } of indexes) {
    const old = before?.entries[at]
    const entry = next.entries[at]
    if (old === entry && before?.weight === next.weight) continue
    if (old && before) weigh(weights, old, -before.weight)
    if (entry) weigh(weights, entry, next.weight)
    if (old === entry) continue
    if (old) order.remove(old)
    if (entry) order.add(entry)
  }
}

function weigh(weights: Index['weights'], { key }: Entry, added: number): void {
  if (added === 0) return
  const sum = (weights.get(key[0]) ?? 0) + added
  if (sum === 0) weights.delete(key[0])
  else weights.set(key[0], sum)
}
