import type { IncomingMessage } from 'node:http'

/** What is sent, and where; without a body it is a GET. */
export interface Sent {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The statuses of a redirect, and whether a POST becomes a GET by it. */
const redirects: ReadonlyMap<number | undefined, boolean> = new Map([
  [301, true],
  [302, true],
  [303, true],
  [307, false],
  [308, false],
])

/** The headers that may have a key. */
const keys: readonly string[] = ['authorization', 'api-key', 'x-api-key', 'cookie']

/**
 * What a response sends elsewhere, by the rules of `fetch`: another origin gets no key. The response is closed. `null`: it
 * sends nowhere. Throws a `TypeError` where nobody can be asked there.
 */
export function redirected(sent: Sent, response: IncomingMessage): Sent | null {
  const { location } = response.headers
  const becomesGet = redirects.get(response.statusCode)
  if (becomesGet === undefined || location === undefined) return null
  response.destroy()
  const url = new URL(location, sent.url)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError('the redirect leads to no place that can be asked')
  const dropped = [...(url.origin === sent.url.origin ? [] : keys), ...(becomesGet ? ['content-type'] : [])]
  const headers = Object.entries(sent.headers).filter(([name]) => !dropped.includes(name))
  return { url, headers: Object.fromEntries(headers), body: becomesGet ? null : sent.body }
}
