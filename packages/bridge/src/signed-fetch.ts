import { BEARER_PROTOCOL } from '@svc/contract/wire'
import type { BridgeOptions } from './bridge.ts'
import type { Clock } from './clock.ts'

/** Has requests carry the page's token, where it has one: the part for that is loaded with the first request, again where it did not come. */
export function signedFetch(
  token: BridgeOptions['token'],
  fetch: typeof globalThis.fetch,
  clock: Clock,
  protocols: string[],
): typeof fetch {
  if (!token) return fetch
  let signed: Promise<typeof fetch> | undefined
  const load = async () => {
    try {
      const part = await import('./page-token.ts')
      return part.fetchWithToken(token, fetch, clock, protocols, BEARER_PROTOCOL)
    } catch (error) {
      signed = undefined
      throw error
    }
  }
  return async (...request) => {
    signed ??= load()
    return (await signed)(...request)
  }
}
