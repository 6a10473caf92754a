import type { Bounds } from '../bounds.ts'
import { type ByteText, compareKeys, encodeEntry } from '../keys.ts'
import type { Key, KeyPart } from '../port.ts'

/** A place in an index. Its bytes are made when a scan first compares with it. */
export interface Entry {
  readonly id: string
  readonly key: Key
  bytes: ByteText | null
}

/** The entries of one index in the order of their keys, equal keys in the order of their ids. */
export interface OrderedIndex {
  add(entry: Entry): void
  /** Takes out an entry, which must be there. */
  remove(entry: Entry): void
  /** Whether at least `count` keys begin with `eq`. */
  holds(eq: Key, count: number): boolean
  /** Entries within bounds, at most `limit`, from the low or the high end. */
  within(bounds: Bounds, eq: Key, order: 'asc' | 'desc', limit: number): Entry[]
}

/** What a scan compares, and a cursor tells. */
export const bytesOf = (entry: Entry): ByteText => {
  entry.bytes ??= encodeEntry(entry.key, entry.id)
  return entry.bytes
}

const compareEntries = (a: Entry, b: Entry) => compareKeys(a.key, b.key) || (a.id < b.id ? -1 : 1)

/** How many of a sorted list come first, by a test that holds for those and for no other. */
function rank<Item>(list: readonly Item[], isBefore: (item: Item) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(list[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}

/** Where an entry stands on its shelf, or would. Writes mostly go to the end. */
function placeOf(shelf: readonly Entry[], entry: Entry): number {
  let low = 0
  let high = shelf.length
  if (compareEntries(shelf[high - 1] as Entry, entry) < 0) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareEntries(shelf[middle] as Entry, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function insertAt<Item>(list: Item[], at: number, item: Item): void {
  if (at === list.length) list.push(item)
  else list.splice(at, 0, item)
}

function removeAt<Item>(list: Item[], at: number): void {
  if (at === list.length - 1) list.pop()
  else list.splice(at, 1)
}

/**
 * Makes the order of an empty index. Entries that share the first part of their key, those of one user for the most
 * part, lie on a shelf of their own, found by that part: a write searches and moves no others.
 */
export function ordered(): OrderedIndex {
  /** No shelf is empty; they are in the order of their first parts. */
  const shelves: Entry[][] = []
  const byHead = new Map<KeyPart | undefined, Entry[]>()
  const shelfPlace = ({ key }: Entry) =>
    rank(shelves, (shelf) => compareKeys((shelf[0] as Entry).key, key, 1) < 0)
  const shelvesUnder = (eq: Key): readonly Entry[][] => {
    if (eq.length === 0) return shelves
    const shelf = byHead.get(eq[0])
    return shelf ? [shelf] : []
  }

  return {
    add(entry) {
      const head = entry.key[0]
      const shelf = byHead.get(head)
      if (shelf) return insertAt(shelf, placeOf(shelf, entry), entry)
      const fresh = [entry]
      insertAt(shelves, shelfPlace(entry), fresh)
      byHead.set(head, fresh)
    },
    remove(entry) {
      const head = entry.key[0]
      const shelf = byHead.get(head) ?? []
      if (shelf.length > 1) return removeAt(shelf, placeOf(shelf, entry))
      removeAt(shelves, shelfPlace(entry))
      byHead.delete(head)
    },
    holds(eq, count) {
      let held = 0
      for (const shelf of shelvesUnder(eq)) {
        const isAll = eq.length < 2 || shelf.length < count
        held += isAll ? shelf.length : countUnder(shelf, eq)
        if (held >= count) break
      }
      return held >= count
    },
    within({ low, high }, eq, order, limit) {
      const lists = shelvesUnder(eq)
      const found: Entry[] = []
      const step = order === 'asc' ? 1 : -1
      const begin =
        order === 'asc'
          ? rank(lists, (shelf) => bytesOf(shelf.at(-1) as Entry) < low)
          : rank(lists, (shelf) => bytesOf(shelf[0] as Entry) < high) - 1
      for (let at = begin; found.length < limit; at += step) {
        const shelf = lists[at] ?? []
        const start = rank(shelf, (entry) => bytesOf(entry) < low)
        const end = rank(shelf, (entry) => bytesOf(entry) < high)
        if (start === end) break
        const left = limit - found.length
        const next =
          order === 'asc'
            ? shelf.slice(start, Math.min(end, start + left))
            : shelf.slice(Math.max(start, end - left), end).reverse()
        for (const entry of next) found.push(entry)
      }
      return found
    },
  }
}

const countUnder = (shelf: readonly Entry[], eq: Key) =>
  rank(shelf, ({ key }) => compareKeys(key, eq, eq.length) <= 0) -
  rank(shelf, ({ key }) => compareKeys(key, eq, eq.length) < 0)
