/** Who waits for more in journals, by their names, for any driver. */
export function openPokes() {
  const waiting = new Map<string, Set<() => void>>()
  return {
    /** Calls everybody who waits for more in this journal. */
    poke(name: string): void {
      for (const fn of waiting.get(name) ?? []) fn()
    },
    /** Calls `fn` whenever there may be more; what it returns ends that. */
    listen(name: string, fn: () => void): () => void {
      const those = waiting.get(name) ?? new Set()
      waiting.set(name, those.add(fn))
      return () => {
        those.delete(fn)
        if (those.size === 0 && waiting.get(name) === those) waiting.delete(name)
      }
    },
  }
}
