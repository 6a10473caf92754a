import { type Agent, globalAgent as agentHttp, type IncomingMessage, request as requestHttp } from 'node:http'
import { globalAgent as agentHttps, request as requestHttps } from 'node:https'
import type { Clock } from '@svc/node'
import { ModelFailure } from '../failure.ts'
import { type ByteReader, bytesOf } from './byte-reader.ts'
import { decoded } from './decoded.ts'
import { redirected, type Sent } from './redirected.ts'
import { readRefusal } from './refused.ts'

/** One request of a chat model. */
export interface ChatRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal | undefined
  /** The model's name, and how many bytes its answer may have. */
  readonly model: string
  readonly maxBytes: number
  readonly clock: Clock
  /** What the log may have no piece of. */
  readonly secrets: readonly string[]
}

/**
 * Posts a request. Rejects with an `APICallError` that knows status, headers and body where the server refuses it, and
 * with a `TypeError` where the connection fails, as `fetch` does; both know the URL. The answer breaks off past `maxBytes`,
 * with a `ModelFailure`. `fetch` itself is never asked: an answer with six codings, then cut, ends the process.
 */
export async function postChat(asked: ChatRequest): Promise<ByteReader> {
  const { model, maxBytes: max, clock, url } = asked
  const response = await follow(asked, asked.signal).catch((error) => {
    throw Object.assign(error, { url: url.href })
  })
  const { statusCode: status = 0 } = response
  if (status >= 200 && status <= 299) {
    const error = () => new ModelFailure(model, 'oversize', { max, retriable: false })
    return bytesOf(decoded(response), { max, error }, clock)
  }
  throw await readRefusal(asked, response)
}

/** As many redirects as `fetch` follows. */
const REDIRECTS_MAX = 20

async function follow(sent: Sent, signal: ChatRequest['signal'], redirects = 0): Promise<IncomingMessage> {
  const response = await send(sent, signal)
  const next = redirected(sent, response)
  if (!next) return response
  if (redirects === REDIRECTS_MAX) throw new TypeError('fetch failed')
  return follow(next, signal, redirects + 1)
}

/** How long a connection may take to be made, as of `fetch`. */
const CONNECT_MS = 10_000

/**
 * A `fetch` costs half a millisecond a request and as much a piece as all else that is done with it. The agents are those
 * of the process, which know its proxies.
 */
const send = ({ url, headers, body }: Sent, signal: ChatRequest['signal']): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const asked = request(url, {
      method: body === null ? 'GET' : 'POST',
      headers: { accept: '*/*', ...headers },
      timeout: CONNECT_MS,
    })
    const leave = () => void asked.destroy(new Error('the request was given up'))
    let isAnswered = false
    signal?.addEventListener('abort', leave, { once: true })
    asked
      .on('response', (response) => {
        isAnswered = true
        resolve(response)
      })
      .on('error', (cause) => {
        if (asked.reusedSocket && !signal?.aborted)
          dropIdle(request === requestHttps ? agentHttps : agentHttp, url.host)
        reject(new TypeError('fetch failed', { cause }))
      })
      .on('timeout', () => {
        if (asked.socket?.connecting) asked.destroy(Object.assign(new Error('no connection'), LATE))
      })
      .on('close', () => {
        signal?.removeEventListener('abort', leave)
        // An upgrade closes without an error.
        if (!isAnswered) reject(new TypeError('fetch failed'))
      })
      .end(body ?? '')
    if (signal?.aborted) leave()
  })

/** Where one kept connection turned out to be dead, the others are too: a second try is not to take the next of them. */
function dropIdle({ freeSockets }: Agent, host: string): void {
  for (const [name, sockets = []] of Object.entries(freeSockets))
    if (name.startsWith(host)) for (const socket of sockets) socket.destroy()
}

const LATE = { code: 'UND_ERR_CONNECT_TIMEOUT' } as const
