import type { IncomingMessage } from 'node:http'
import { BEARER_PROTOCOL } from '@svc/contract/wire'
import type { BodyHead } from '../../kernel/limiter/bodies.ts'
import type { Head } from '../../kernel/request/head.ts'

/** What a head is read from. */
interface RequestHead extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/** Copies what a head is read from: it may be kept for long, and the request goes. */
export const headOnly = ({
  method,
  url,
  headers,
  socket: { remoteAddress },
}: IncomingMessage): RequestHead => ({
  ...(method !== undefined && { method }),
  ...(url !== undefined && { url }),
  headers: withBearer(headers),
  socket: { remoteAddress },
})

/** The headers of an upgrade, with the token that its page could only send as a subprotocol where others have it. */
function withBearer(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const offered = headers['sec-websocket-protocol']?.split(/, */) ?? []
  const bearer = offered.find((one) => one.startsWith(BEARER_PROTOCOL))
  if (bearer === undefined || headers.authorization !== undefined) return headers
  return {
    ...headers,
    authorization: `Bearer ${bearer.slice(BEARER_PROTOCOL.length)}`,
    'sec-websocket-protocol': offered.filter((one) => one !== bearer).join(', '),
  }
}

/** The head of a `node:http` request. A class, because every request makes one: its methods are made once. */
export class NodeHead implements Head {
  readonly #req: RequestHead

  constructor(req: RequestHead) {
    this.#req = req
  }

  get method(): string {
    return this.#req.method ?? 'GET'
  }

  get url(): string {
    return this.#req.url ?? '/'
  }

  get peer(): string | undefined {
    return this.#req.socket.remoteAddress
  }

  get(name: string): string | undefined {
    const value = this.#req.headers[name]
    return typeof value === 'string' ? value : value?.join(', ')
  }

  request(): Request {
    const headers = Object.keys(this.#req.headers).map((name): [string, string] => [
      name,
      this.get(name) ?? '',
    ])
    const url = `http://${this.get('host') ?? 'localhost'}${this.url}`
    return new Request(url, { method: this.method, headers })
  }
}

/** What Node sends for a request that took too long as a whole. */
const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** The body of a `node:http` request, which is cut off where nothing of it comes. */
export function bodyHeadOf(owner: string, req: IncomingMessage): BodyHead {
  const { socket } = req
  const length = req.headers['content-length']
  return {
    owner,
    bytes: length === undefined ? undefined : Number(length),
    onGone: (listener) => void req.once('close', listener),
    // NaN differs from itself: of a body that is whole, or waits for its reader here, nothing is missing.
    came: () => (req.complete || req.readableLength > 0 ? Number.NaN : socket.bytesRead),
    cut: () => void (socket.writable ? socket.end(TIMEOUT, () => socket.destroy()) : socket.destroy()),
  }
}
