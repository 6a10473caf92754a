import { systemClock } from '@svc/node'
import { SKEW_MS } from './headers.ts'

/** What is remembered, each for as long as it could be sent again. */
const NONCES_MAX = 1_000_000

/** Remembers what hosts signed, so that nothing of it counts twice. `what` it is, and how it is said that it came before. */
export function openNonces(what: string, before: string) {
  const nonces = new Map<string, number>()
  return {
    /** Why something of this time does not count; null: it does, and no second time. */
    refusalOf(nonce: string, at: number): string | null {
      const now = systemClock.now()
      if (!(Math.abs(now - at) <= SKEW_MS))
        return `the clocks of the two hosts differ by ${Math.round((now - at) / 1_000)} s`
      for (const [old, then] of nonces) {
        if (now - then <= SKEW_MS) break
        nonces.delete(old)
      }
      if (nonces.has(nonce)) return before
      if (nonces.size >= NONCES_MAX) return `more than ${NONCES_MAX} ${what} in ${SKEW_MS / 1_000} s`
      nonces.set(nonce, at)
      return null
    },
  }
}
