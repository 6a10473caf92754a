import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'

/**
 * The pauses between two links: each twice the one before, up to `RUNNER_RETRY_MAX_MS`, of which between a half and all
 * is waited, so that machines whose host went away do not all come back at once. A link that stood for
 * `RUNNER_STEADY_MS` begins the row again; one that breaks sooner does not.
 *
 * `random` returns a number from 0 to 1.
 */
export function openBackOff(limits: Limits, clock: Clock, random: () => number) {
  let tries = 0
  let sinceMs: number | null = null

  return {
    /** A link is up. */
    reset(): void {
      sinceMs = clock.now()
    },
    /** A link ended, or did not come about: how long to wait, in ms. */
    nextMs(): number {
      if (sinceMs !== null && clock.now() - sinceMs >= limits.RUNNER_STEADY_MS) tries = 0
      sinceMs = null
      const full = Math.min(limits.RUNNER_RETRY_MS * 2 ** tries, limits.RUNNER_RETRY_MAX_MS)
      tries += 1
      return Math.round(full * (1 + random()) * 0.5)
    },
  }
}
