/** Opens the count with `max` places an owner. */
export function openInFlight(max: number) {
  const counts = new Map<string, number>()
  let total = 0
  const isFull = (owner: string) => (counts.get(owner) ?? 0) >= max
  const add = (owner: string) => {
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
    total += 1
  }
  return {
    /** Takes a place; `false` when the owner has none left. */
    enter(owner: string) {
      if (isFull(owner)) return false
      add(owner)
      return true
    },
    /** Takes a place where one has been asked for by `isFull`. */
    add,
    /** Whether an owner has no place left. */
    isFull,
    leave(owner: string) {
      const left = (counts.get(owner) ?? 0) - 1
      if (left > 0) counts.set(owner, left)
      else counts.delete(owner)
      total -= 1
    },
    /** What is under way, over all owners. */
    get total() {
      return total
    },
  }
}

/** Counts what is under way of each owner, such as the calls of a window, in this process. */
export type InFlight = ReturnType<typeof openInFlight>
