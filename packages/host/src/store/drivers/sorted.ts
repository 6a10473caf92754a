interface Item {
  entry: string
  id: string
}

/** An ordered set of entries, each with the id of its record. Adding in order costs no more than the search. */
export interface Sorted {
  /** How many entries are below `entry`. */
  rank(entry: string): number
  add(entry: string, id: string): void
  /** Takes out an entry, which must be there. */
  remove(entry: string): void
  /** The item at a rank, which must be below the size. */
  at(rank: number): Item
}

/** Makes an empty ordered set; entries are compared by `<`. */
export function sorted(): Sorted {
  const items: Item[] = []
  const at = (place: number) => items[place] as Item
  const rank = (entry: string) => {
    let low = 0
    let high = items.length
    if (high > 0 && at(high - 1).entry < entry) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (at(middle).entry < entry) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    rank,
    add: (entry, id) => void items.splice(rank(entry), 0, { entry, id }),
    remove: (entry) => void items.splice(rank(entry), 1),
    at,
  }
}
