import { EVENT_RETRY_MAX_MS } from '@svc/contract/browser'

/**
 * The pause before the next try, in ms: the server's base, doubled with each failure up to 10 s, of which a
 * random half is left out so that many pages do not come back together.
 */
export function retryMs(baseMs: number, failures: number, random: () => number): number {
  const grown = Math.min(EVENT_RETRY_MAX_MS, baseMs * 2 ** failures)
  return Math.round(grown * (0.5 + random() / 2))
}
