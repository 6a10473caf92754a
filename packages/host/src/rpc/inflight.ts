/** Counts what is under way of each owner, such as the calls of a window (design §8); per process by decision. */
export interface InFlight {
  /** Takes a place; `false` when the owner has none left. */
  enter(owner: string): boolean
  leave(owner: string): void
  /** What is under way, over all owners. */
  readonly total: number
}

/** Opens the count with `max` places an owner. */
export function openInFlight(max: number): InFlight {
  const counts = new Map<string, number>()
  let total = 0
  return {
    enter(owner) {
      const count = counts.get(owner) ?? 0
      if (count >= max) return false
      counts.set(owner, count + 1)
      total += 1
      return true
    },
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
