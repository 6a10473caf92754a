import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'

/** Counts the messages that nobody asked for: what was given up on the way is among them, a flood is not. */
export function openStrays({ LINK_STRAYS_MAX: max }: Limits, clock: Clock) {
  let since = clock.now()
  let count = 0
  return {
    /** There is one more. */
    isTooMany(): boolean {
      const now = clock.now()
      if (now - since >= 1_000) {
        since = now
        count = 0
      }
      count += 1
      return count > max
    },
  }
}
