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

/** Orders two entries of one list: the first parts of their keys are the same. */
const compareEntries = (a: Entry, b: Entry) =>
  compareKeys(a.key, b.key, undefined, 1) || (a.id < b.id ? -1 : 1)

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

/** Where an entry is in its list, or would. Writes mostly go to the end. */
function placeOf(list: readonly Entry[], entry: Entry): number {
  let low = 0
  let high = list.length
  if (compareEntries(list[high - 1] as Entry, entry) < 0) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareEntries(list[middle] as Entry, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** So many items are moved one by one: `splice` makes a list of what it takes out. */
const FEW = 32

function insertAt<Item>(list: Item[], at: number, item: Item): void {
  if (list.length - at > FEW) {
    list.splice(at, 0, item)
    return
  }
  list.push(item)
  for (let place = list.length - 1; place > at; place--) list[place] = list[place - 1] as Item
  list[at] = item
}

function removeAt<Item>(list: Item[], at: number): void {
  if (list.length - at > FEW) {
    list.splice(at, 1)
    return
  }
  for (let place = at + 1; place < list.length; place++) list[place - 1] = list[place] as Item
  list.pop()
}

const compareLists = ([a]: readonly Entry[], [b]: readonly Entry[]) =>
  compareKeys((a as Entry).key, (b as Entry).key, 1)

/**
 * Makes the order of an empty index. Entries that share the first part of their key, those of one user for the most
 * part, lie in a list of their own, found by that part: a write searches and moves no others. The lists themselves are
 * in an order only where scans ask for more than one of them.
 */
export function ordered(): OrderedIndex {
  /** No list is empty. */
  const byHead = new Map<KeyPart | undefined, Entry[]>()
  /** All lists in the order of their first parts, from the first scan on that needs it. */
  let lists: Entry[][] | null = null
  const listPlace = (lists: readonly Entry[][], { key }: Entry) =>
    rank(lists, (list) => compareKeys((list[0] as Entry).key, key, 1) < 0)
  const listsUnder = (eq: Key): readonly Entry[][] => {
    if (eq.length === 0) {
      lists ??= [...byHead.values()].sort(compareLists)
      return lists
    }
    const list = byHead.get(eq[0])
    return list ? [list] : []
  }

  return {
    add(entry) {
      const head = entry.key[0]
      const list = byHead.get(head)
      if (list) return insertAt(list, placeOf(list, entry), entry)
      const fresh = [entry]
      if (lists) insertAt(lists, listPlace(lists, entry), fresh)
      byHead.set(head, fresh)
    },
    remove(entry) {
      const head = entry.key[0]
      const list = byHead.get(head) ?? []
      if (list.length > 1) return removeAt(list, placeOf(list, entry))
      if (lists) removeAt(lists, listPlace(lists, entry))
      byHead.delete(head)
      // Former tables of the map still have the list, until the next full collection of garbage.
      list.pop()
    },
    holds(eq, count) {
      let held = 0
      for (const list of listsUnder(eq)) {
        const isAll = eq.length < 2 || list.length < count
        held += isAll ? list.length : countUnder(list, eq)
        if (held >= count) break
      }
      return held >= count
    },
    within({ low, high }, eq, order, limit) {
      const within = listsUnder(eq)
      const found: Entry[] = []
      const step = order === 'asc' ? 1 : -1
      const begin =
        order === 'asc'
          ? rank(within, (list) => bytesOf(list.at(-1) as Entry) < low)
          : rank(within, (list) => bytesOf(list[0] as Entry) < high) - 1
      for (let at = begin; found.length < limit; at += step) {
        const list = within[at] ?? []
        const start = rank(list, (entry) => bytesOf(entry) < low)
        const end = rank(list, (entry) => bytesOf(entry) < high)
        if (start === end) break
        const left = limit - found.length
        const next =
          order === 'asc'
            ? list.slice(start, Math.min(end, start + left))
            : list.slice(Math.max(start, end - left), end).reverse()
        for (const entry of next) found.push(entry)
      }
      return found
    },
  }
}

const countUnder = (list: readonly Entry[], eq: Key) =>
  rank(list, ({ key }) => compareKeys(key, eq, eq.length) <= 0) -
  rank(list, ({ key }) => compareKeys(key, eq, eq.length) < 0)
