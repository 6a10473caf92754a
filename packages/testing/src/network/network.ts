import type { EventHead } from '@svc/bridge/testing'
import { WINDOW_TOKEN_HEADER, type WindowClaims } from '@svc/contract'
import { routes } from '@svc/contract/routes'
import { Request as NodeRequest } from 'undici'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import { eventFilter } from './event-filter.ts'

/** The origin of the host's own page, where nothing listens. */
export const ORIGIN = 'http://127.0.0.1:8787'

const { path: EVENTS } = routes['calls.events']

/** What goes wrong between page and host; faults set it. */
export interface NetworkFaults {
  /** The host cannot be reached. */
  isGone: boolean
  /** How much later each request reaches the host, in ms. */
  delayMs: number
  /** Frames that are lost, by their `seq`: each entry loses one. */
  readonly lostFrames: number[]
  /** The expired token that the host gets in place of the next one of a window, by the id of the window. */
  readonly expiredTokens: Map<string, string>
  /** What has met nothing yet of what it is to go wrong with, as the test called it. */
  readonly idle: Map<'expireToken' | 'hostGone' | 'slowHost', string>
}

/** What the network works with. */
export interface NetworkParts {
  readonly clocks: Clocks
  readonly activity: Activity
  readonly host: (request: Request) => Promise<Response>
}

/** A request or an event stream that is open. */
interface Exchange {
  readonly over: AbortController
  /** Rejects when it breaks. */
  readonly broken: Promise<never>
  /** It is over, and cannot break any more. */
  end(): void
}

/** Opens the way from pages to the host, with its faults: the host's `fetch`, and nothing that listens. */
export function openNetwork({ clocks, activity, host }: NetworkParts) {
  const faults: NetworkFaults = {
    isGone: false,
    delayMs: 0,
    lostFrames: [],
    expiredTokens: new Map(),
    idle: new Map(),
  }
  const streams = new Set<Exchange>()
  const requests = new Set<Exchange>()

  /** Begins an exchange among others of its kind, until it ends or breaks. */
  function begin(signal: AbortSignal, open: Set<Exchange>): Exchange {
    const over = new AbortController()
    const { promise: broken, reject } = Promise.withResolvers<never>()
    broken.catch(() => undefined)
    const exchange: Exchange = { over, broken, end: () => void open.delete(exchange) }
    open.add(exchange)
    const onAbort = () => {
      exchange.end()
      reject(over.signal.reason)
    }
    over.signal.addEventListener('abort', onAbort, { once: true })
    const leave = () => over.abort(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return exchange
  }

  /** Lets `ms` pass, or less where the exchange breaks. */
  async function pause(ms: number, { broken }: Exchange): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = clocks.host.setTimer(resolve, ms)
    await Promise.race([promise, broken]).finally(stop)
  }

  /** Sends a request on; it ends with its signal, and where the network breaks. */
  async function send(request: Request): Promise<Response> {
    if (faults.isGone) {
      faults.idle.delete('hostGone')
      throw unreached('the host is gone')
    }
    const isStream = new URL(request.url).pathname === EVENTS
    const exchange = begin(request.signal, isStream ? streams : requests)
    const done = activity.begin()
    let hasMore = false
    try {
      if (faults.delayMs > 0) {
        faults.idle.delete('slowHost')
        await pause(faults.delayMs, exchange)
      }
      expire(request.headers)
      const answered = host(withSignal(request, exchange.over.signal))
      const response = await Promise.race([answered, exchange.broken])
      hasMore = response.body !== null
      return bodyOf(response, exchange, isStream ? eventFilter(isLost) : (bytes) => bytes)
    } finally {
      if (!hasMore) exchange.end()
      done()
    }
  }

  /** A response of which the filter leaves out what is lost, and which breaks off where its exchange breaks. */
  function bodyOf(
    response: Response,
    exchange: Exchange,
    filter: (bytes: Uint8Array) => Uint8Array,
  ): Response {
    const reader = response.body?.getReader()
    if (!reader) return response
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        for (;;) {
          const { done, value } = await Promise.race([reader.read(), exchange.broken])
          if (done) {
            exchange.end()
            return controller.close()
          }
          const left = filter(value)
          if (left.length === 0) continue
          activity.touch()
          return controller.enqueue(left)
        }
      },
      cancel: (reason) => exchange.over.abort(reason),
    })
    const { status, headers } = response
    return new Response(body, { status, headers })
  }

  /** Puts the expired token of a window in place of the one that is sent. */
  function expire(headers: Headers): void {
    const windowUuid = windowOf(headers.get(WINDOW_TOKEN_HEADER) ?? '')
    const expired = faults.expiredTokens.get(windowUuid)
    if (expired === undefined) return
    headers.set(WINDOW_TOKEN_HEADER, expired)
    faults.expiredTokens.delete(windowUuid)
    faults.idle.delete('expireToken')
  }

  function isLost(event: EventHead): boolean {
    const at = event.type === 'rpc.stream' ? faults.lostFrames.indexOf(event.seq) : -1
    if (at >= 0) faults.lostFrames.splice(at, 1)
    return at >= 0
  }

  /** Breaks what is open; returns how many there were. */
  function breakAll(open: Set<Exchange>, why: string): number {
    const broken = [...open]
    for (const { over } of broken) over.abort(unreached(why))
    return broken.length
  }

  return {
    faults,
    send,
    /** Asks the host as its own page does. */
    ask(url: string, { headers = {}, method, body, signal }: RequestInit = {}): Promise<Response> {
      // The Request of a DOM in a test takes no `origin`, which a browser sets by itself.
      const request = new NodeRequest(new URL(url, ORIGIN), {
        headers: { ...(headers as Record<string, string>), origin: ORIGIN },
        ...(method !== undefined && { method }),
        ...(typeof body === 'string' && { body }),
      })
      return send(withSignal(request as unknown as Request, signal ?? new AbortController().signal))
    },
    /** Breaks the event streams that are open; returns how many there were. */
    breakStreams: (why: string) => breakAll(streams, why),
    /** Breaks all that is under way; returns how much that was. */
    breakAll: (why: string) => breakAll(requests, why) + breakAll(streams, why),
    /** The faults that have met nothing yet, each as the test called it. */
    get idle(): readonly string[] {
      return [...faults.lostFrames.map((seq) => `loseFrame(${seq})`), ...faults.idle.values()]
    },
  }
}

/** See `openNetwork`. */
export type Network = ReturnType<typeof openNetwork>

/** The window that a token is for; `''` where there is none. */
function windowOf(token: string): string {
  const [, claims = ''] = token.split('.')
  return claims && (JSON.parse(Buffer.from(claims, 'base64url').toString()) as WindowClaims).wid
}

/** What `fetch` rejects with where a host is not reached. */
const unreached = (why: string) => new TypeError(`fetch failed: ${why}`)

/** The request with a signal of any realm: that of a DOM in a test is not Node's. */
function withSignal(request: Request, signal: AbortSignal): Request {
  return Object.defineProperty(request, 'signal', { value: signal, configurable: true })
}
