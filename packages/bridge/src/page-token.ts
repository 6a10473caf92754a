import { PAGE_TOKEN_KEPT_MS, ROUTE_TIMEOUT_MS } from '@svc/contract/browser'
import type { BEARER_PROTOCOL } from '@svc/contract/wire'
import type { Clock } from './clock.ts'

/**
 * Has requests carry the page's token (docs/decisions/0195-pages-of-other-sites.md): used for two minutes, then or when it
 * is refused asked for again, once at a time. A user without one is refused as the host would. What a socket offers gets it
 * behind the first of `protocols`, because a page cannot set headers of a socket.
 */
export function fetchWithToken(
  token: () => Promise<string | null | undefined>,
  fetch: typeof globalThis.fetch,
  clock: Clock,
  protocols: string[],
  bearer: typeof BEARER_PROTOCOL,
): typeof fetch {
  let kept: string | null | undefined
  let untilMs = 0
  let asking: Promise<typeof kept> | undefined

  async function ask() {
    let timer: unknown
    const late = new Promise<never>((_, reject) => {
      const why = new Error(`nothing within ${ROUTE_TIMEOUT_MS} ms`)
      timer = clock.setTimeout(() => reject(why), ROUTE_TIMEOUT_MS)
    })
    try {
      kept = await Promise.race([token(), late])
      untilMs = kept ? clock.now() + PAGE_TOKEN_KEPT_MS : 0
      // One that a socket cannot offer goes with requests alone.
      protocols.splice(1, 1, ...(kept && /^[\w.~+-]+$/.test(kept) ? [bearer + kept] : []))
      return kept
    } catch (error) {
      throw new Error(`token() of the page failed: ${error}`, { cause: error })
    } finally {
      clock.clearTimeout(timer)
      asking = undefined
    }
  }
  const next = () => {
    asking ??= ask()
    return asking
  }

  return async (input, init) => {
    const send = (text: typeof kept) =>
      text
        ? fetch(input, {
            ...init,
            credentials: 'omit',
            headers: { ...(init?.headers as object), authorization: `Bearer ${text}` },
          })
        : Response.json(
            { error: { code: 'invalid_token', message: 'the page has no token' } },
            { status: 401 },
          )
    // What a page sends as it goes waits for nothing.
    const first = clock.now() < untilMs || (init?.keepalive && kept) ? kept : await next()
    const response = await send(first)
    return first && response.status === 401 ? send(kept === first ? await next() : kept) : response
  }
}
