import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { APICallError } from '@ai-sdk/provider'
import { ModelFailure } from '../failure.ts'
import { type ByteReader, bytesOf } from './byte-reader.ts'
import { decoded } from './decoded.ts'

/** One request of a chat model. */
export interface ChatRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal | undefined
  /** The model's name, and how many bytes its answer may have. */
  readonly model: string
  readonly maxBytes: number
}

/**
 * Posts a request. Rejects with an `APICallError` that knows the status where the server refuses it, what it says of that
 * is not read, and with a `TypeError` where the connection fails, as `fetch` does. The answer breaks off past `maxBytes`,
 * with a `ModelFailure`.
 */
export async function postChat(asked: ChatRequest): Promise<ByteReader> {
  const response = await send(asked)
  const { statusCode: status = 0, headers } = response
  if (REDIRECTS.has(status) && headers.location !== undefined) {
    response.destroy()
    return capped(await redirected(asked), asked)
  }
  if (status < 200 || status > 299) {
    response.destroy()
    throw refused(asked, status)
  }
  return capped(bytesOf(decoded(response)), asked)
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const refused = ({ url }: ChatRequest, statusCode: number) =>
  new APICallError({ message: 'refused', url: url.href, requestBodyValues: {}, statusCode })

/** How long a connection may take to be made, as of `fetch`. */
const CONNECT_MS = 10_000

/**
 * A `fetch` costs half a millisecond a request and as much a piece as all else that is done with it. The agents are those
 * of the process, which know its proxies.
 */
const send = ({ url, headers, body, signal }: ChatRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const asked = request(url, {
      method: 'POST',
      headers: { accept: '*/*', ...headers },
      timeout: CONNECT_MS,
    })
    const leave = () => void asked.destroy(new Error('the request was given up'))
    signal?.addEventListener('abort', leave, { once: true })
    asked
      .on('response', resolve)
      .on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
      .on('timeout', () => {
        if (asked.socket?.connecting) asked.destroy(Object.assign(new Error('no connection'), LATE))
      })
      .on('close', () => signal?.removeEventListener('abort', leave))
      .end(body)
    if (signal?.aborted) leave()
  })

const LATE = { code: 'UND_ERR_CONNECT_TIMEOUT' } as const

/** Servers that send elsewhere are few: `fetch` knows the rules, and asks from the beginning. */
async function redirected(asked: ChatRequest): Promise<ByteReader> {
  const { url, headers, body, signal } = asked
  const response = await fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) })
  const reader = response.body?.getReader()
  const cancel = () => void reader?.cancel().catch(() => undefined)
  if (!response.ok || !reader) {
    cancel()
    throw refused(asked, response.status)
  }
  return { read: async () => (await reader.read()).value ?? null, cancel }
}

function capped({ read, cancel }: ByteReader, { model, maxBytes }: ChatRequest): ByteReader {
  let size = 0
  return {
    async read() {
      const piece = await read()
      size += piece?.byteLength ?? 0
      if (size <= maxBytes) return piece
      cancel()
      throw new ModelFailure(model, 'oversize', { max: maxBytes, retriable: false })
    },
    cancel,
  }
}
