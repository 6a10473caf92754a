import { isIP } from 'node:net'
import { Refusal } from '@svc/contract/errors'
import type { Clock } from '../clock.ts'
import { type Dial, dialChecked } from './connect.ts'
import { type Exchange, exchange } from './exchange.ts'
import { failureOf } from './failure.ts'
import { judgeUrl, type UrlName, type UrlRules, wrongUrl } from './judge.ts'
import { loopbackOf } from './loopback.ts'
import { nameOf } from './name.ts'
import { isPublicAddress } from './public-address.ts'
import { askNameServers, type Resolve } from './resolve.ts'

/** What came from a public URL. */
export interface FetchResult {
  readonly bytes: Buffer
  /** The media type that the server named, without parameters, in lower case; `''` where it named none. */
  readonly type: string
}

/** Fetches URLs that users give, under the rule for them (docs/decisions/0036-urls-and-attachments.md). */
export interface PublicFetch {
  /**
   * Judges the text of a URL without the network: an IP literal is judged here too. `label` names it in sentences,
   * by default `url`. Errors: `invalid_arg` with the rule that it breaks.
   */
  judge(text: string, label?: string): URL
  /**
   * Fetches one within `PUBLIC_FETCH_MS`, at most `maxBytes` and `PUBLIC_FETCH_MAX_BYTES`. Errors: `invalid_arg`
   * that says which rule refused or what failed; the reason of `signal`.
   */
  get(url: URL, options: GetOptions): Promise<FetchResult>
}

/** How one URL is fetched. */
export interface GetOptions {
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Names the URL in sentences; `url` where left out. */
  readonly label?: string
  /** Hears the bytes as they come. */
  readonly onBytes?: (bytes: Uint8Array) => void
}

/** What fetching needs; the last three are for tests. */
export interface PublicFetchParts extends UrlRules {
  readonly clock: Clock
  readonly resolve?: Resolve
  readonly dial?: Dial
  /** A certificate in PEM that is trusted in place of the usual ones. */
  readonly ca?: string
}

/** What stays the same over the redirects of a fetch, but for the label. */
type FetchOrder = Pick<Exchange, 'named' | 'maxBytes' | 'signal' | 'onBytes'>

/** Opens the fetching of public URLs. Nothing stays open between two fetches. */
export function openPublicFetch(parts: PublicFetchParts): PublicFetch {
  const { limits, clock, allowLoopback, resolve = askNameServers(), dial = dialChecked, ca } = parts

  /** All addresses of a URL's host, each of them public; else a refusal. */
  async function addressesOf(url: URL, named: UrlName, signal: AbortSignal): Promise<readonly string[]> {
    const here = loopbackOf(allowLoopback, url)
    if (here !== null) return [here]
    const name = nameOf(url)
    if (isIP(name) !== 0) return [name]
    const addresses = await resolve(name, signal)
    signal.throwIfAborted()
    if (addresses.length === 0) throw wrongUrl(named, `cannot be fetched: ${name} has no address`)
    if (!addresses.every(isPublicAddress))
      throw wrongUrl(named, `must name a public host: ${name} has an address that is not public`)
    return addresses
  }

  async function follow(url: URL, asked: FetchOrder, redirects = 0): Promise<FetchResult> {
    const { named, signal } = asked
    const addresses = await addressesOf(url, named, signal)
    const answer = await exchange(url, { ...asked, addresses, limits, dial, ca })
    if ('bytes' in answer) return answer
    if (redirects === limits.PUBLIC_REDIRECTS_MAX)
      throw wrongUrl(named, `leads on: at most ${redirects} redirects are followed`)
    const leads = { path: named.path, label: `the redirect of ${named.path}` }
    return follow(judgeUrl(answer.location, leads, parts), { ...asked, named: leads }, redirects + 1)
  }

  return {
    judge: (text, label = 'url') => judgeUrl(text, { label, path: label }, parts),
    async get(url, { maxBytes, signal, label = 'url', onBytes }) {
      const late = new AbortController()
      const takeBack = clock.setTimer(() => late.abort(), limits.PUBLIC_FETCH_MS)
      const both = AbortSignal.any([signal, late.signal])
      const named = { label, path: label }
      try {
        both.throwIfAborted()
        const max = Math.min(maxBytes, limits.PUBLIC_FETCH_MAX_BYTES)
        const asked = { named, maxBytes: max, signal: both, onBytes }
        return await follow(judgeUrl(url.href, named, parts), asked)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Refusal) throw error
        const why = late.signal.aborted ? `it took more than ${limits.PUBLIC_FETCH_MS} ms` : failureOf(error)
        throw wrongUrl(named, `cannot be fetched: ${why}`)
      } finally {
        takeBack()
      }
    },
  }
}
