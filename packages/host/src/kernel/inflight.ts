/** Counts what is under way of each owner, such as the calls of a window, in this process. */
export interface InFlight {
  /** Takes a place; `false` when the owner has none left. */
  enter(owner: string): boolean
  /** Takes a place where one has been asked for by `isFull`. */
  add(owner: string): void
  /** Whether an owner has no place left. */
  isFull(owner: string): boolean
  leave(owner: string): void
  /** What is under way, over all owners. */
  readonly total: number
}

/** Opens the count with `max` places an owner. */
export function openInFlight(max: number): InFlight {
  const counts = new Map<string, number>()
  let total = 0
  const isFull = (owner: string) => (counts.get(owner) ?? 0) >= max
  const add = (owner: string) => {
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
    total += 1
  }
  return {
    enter(owner) {
      if (isFull(owner)) return false
      add(owner)
      return true
    },
    add,
    isFull,
    leave(owner) {
      const left = (counts.get(owner) ?? 0) - 1
      if (left > 0) counts.set(owner, left)
      else counts.delete(owner)
      total -= 1
    },
    get total() {
      return total
    },
  }
}
