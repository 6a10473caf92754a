import type { News } from './follow.ts'

/** Who waits for more in journals, by their names, for any driver. */
export function openPokes() {
  const waiting = new Map<string, Set<(news?: News) => void>>()
  return {
    /** Calls everybody who waits for more in this journal, with what is known of that. */
    poke(name: string, news?: News): void {
      for (const fn of waiting.get(name) ?? []) fn(news)
    },
    /** Calls `fn` whenever there may be more; what it returns ends that. */
    listen(name: string, fn: (news?: News) => void): () => void {
      const those = waiting.get(name) ?? new Set()
      waiting.set(name, those.add(fn))
      return () => {
        those.delete(fn)
        if (those.size === 0 && waiting.get(name) === those) waiting.delete(name)
      }
    },
  }
}
