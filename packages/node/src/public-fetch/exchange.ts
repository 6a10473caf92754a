import type { Limits } from '@svc/contract/limits'
import { connectorTo, type Dial } from './connect.ts'
import { type UrlName, wrongUrl } from './judge.ts'
import { nameOf, portOf } from './name.ts'

/** What one request gave: its bytes, or where it leads on to. */
export type Answer =
  | { readonly bytes: Buffer; readonly type: string }
  /** Absolute, not yet judged. */
  | { readonly location: string }

/** How one request is made. */
export interface Exchange {
  readonly addresses: readonly string[]
  readonly maxBytes: number
  readonly named: UrlName
  readonly signal: AbortSignal
  readonly limits: Limits
  readonly dial: Dial
  readonly ca: string | undefined
  /** Hears the bytes of the answer as they come. */
  readonly onBytes: ((bytes: Uint8Array) => void) | undefined
}

/** Identity, because what is small on the wire could be of any size unpacked. */
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'svc' }
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * One GET over a connection of its own, without cookies or credentials; closed when it returns. Errors: `invalid_arg`,
 * those of the connection, the reason of `signal`.
 */
export async function exchange(url: URL, by: Exchange): Promise<Answer> {
  const { addresses, signal, limits, named, maxBytes } = by
  const to = { name: nameOf(url), addresses, port: portOf(url), signal }
  // Most processes fetch nothing, and undici has a hundred modules.
  const { Client } = await import('undici')
  const client = new Client(url.origin, {
    connect: connectorTo(to, by.dial, by.ca),
    maxHeaderSize: limits.PUBLIC_HEADERS_MAX_BYTES,
    // The signal bounds the whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  const no = (why: string) => wrongUrl(named, `cannot be fetched: ${why}`)
  try {
    const path = url.pathname + url.search
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path,
      headers: HEADERS,
      signal,
    })
    // What is left of a body when the connection is closed fails, and nobody waits for it.
    body.on('error', () => undefined)
    const header = (name: string) => String(headers[name] ?? '')

    if (redirects.has(statusCode) && header('location'))
      return { location: locationOf(header('location'), url) }
    if (statusCode !== 200) throw no(`its host answered ${statusCode}, and only 200 is taken`)
    if (header('refresh')) throw no('its answer leads elsewhere by a Refresh header')
    if (!['', 'identity'].includes(header('content-encoding').toLowerCase()))
      throw no('its host sent it compressed, though it was asked not to')

    const tooLong = () => no(`it has more than ${maxBytes} bytes`)
    if (Number(header('content-length')) > maxBytes) throw tooLong()
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes) throw tooLong()
      by.onBytes?.(chunk)
      chunks.push(chunk)
    }
    const [type = ''] = header('content-type').split(';')
    return { bytes: Buffer.concat(chunks), type: type.trim().toLowerCase() }
  } finally {
    await client.destroy()
  }
}

/** Where a redirect leads, absolute. Text that a parser would repair stays as it is, to be judged as text. */
function locationOf(text: string, base: URL): string {
  if (text.startsWith('https://') || /[\s\p{Cc}\\]/u.test(text)) return text
  return URL.parse(text, base.href)?.href ?? text
}
