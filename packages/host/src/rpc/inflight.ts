/** Counts the calls of each window that are under way (design §8); per process by decision. */
export interface InFlight {
  /** Takes a place; `false` when the window has none left. */
  enter(windowUuid: string): boolean
  leave(windowUuid: string): void
  /** Calls under way, over all windows. */
  readonly total: number
}

/** Opens the count with `max` places a window. */
export function openInFlight(max: number): InFlight {
  const counts = new Map<string, number>()
  let total = 0
  return {
    enter(windowUuid) {
      const count = counts.get(windowUuid) ?? 0
      if (count >= max) return false
      counts.set(windowUuid, count + 1)
      total += 1
      return true
    },
    leave(windowUuid) {
      const left = (counts.get(windowUuid) ?? 0) - 1
      if (left > 0) counts.set(windowUuid, left)
      else counts.delete(windowUuid)
      total -= 1
    },
    get total() {
      return total
    },
  }
}
