import { CLOSING_RETRIES_MAX, CLOSING_RETRY_MS } from '@svc/contract/browser'
import type { Clock } from './clock.ts'
import { pause } from './deadline.ts'
import { retryMs } from './retry.ts'

/**
 * Whether a host that closes refused it (`CLOSING`): it has not begun, so it may be sent again, whatever it does. What
 * plugins say is text in an answer of this status, with its quotes escaped.
 */
export const isClosing = (status: number, text: string): boolean =>
  status === 503 && text.includes('"by":"closing"')

/** Fetches again what a closing host refused: behind a load balancer the next try comes to another one. */
export const fetchAgain =
  (fetch: typeof globalThis.fetch, clock: Clock): typeof globalThis.fetch =>
  async (input, init) => {
    for (let tries = 0; ; tries++) {
      const response = await fetch(input, init)
      const { status } = response
      if (status !== 503 || tries === CLOSING_RETRIES_MAX) return response
      if (!isClosing(status, await response.clone().text())) return response
      await pause(clock, retryMs(CLOSING_RETRY_MS, tries, Math.random), init?.signal as AbortSignal)
    }
  }
