import { Request as NodeRequest } from 'undici'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import { eventFilter } from './event-filter.ts'

/** The origin of the host's own page, where nothing listens. */
export const ORIGIN = 'http://127.0.0.1:8787'

const TOKEN = 'x-svc-app-token'
const EVENTS = '/api/v1/svc-apps/runtime/events'

/** What goes wrong between page and host; faults set it. */
export interface NetworkFaults {
  /** The host cannot be reached. */
  isGone: boolean
  /** How much later each request reaches the host, in ms. */
  delayMs: number
  /** Frames that are lost, by their `seq`: each once. */
  readonly lostFrames: Set<number>
  /** The expired token that the host gets in place of the next one of a window, by the id of the window. */
  readonly expiredTokens: Map<string, string>
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
}

/** Opens the way from pages to the host, with its faults: the host's `fetch`, and nothing that listens. */
export function openNetwork({ clocks, activity, host }: NetworkParts) {
  const faults: NetworkFaults = {
    isGone: false,
    delayMs: 0,
    lostFrames: new Set(),
    expiredTokens: new Map(),
  }
  const streams = new Set<Exchange>()
  const requests = new Set<Exchange>()

  function begin(signal: AbortSignal): Exchange {
    const over = new AbortController()
    const { promise: broken, reject } = Promise.withResolvers<never>()
    broken.catch(() => undefined)
    over.signal.addEventListener('abort', () => reject(over.signal.reason), { once: true })
    const leave = () => over.abort(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return { over, broken }
  }

  /** Lets `ms` pass, or less where the exchange breaks. */
  async function pause(ms: number, { broken }: Exchange): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = clocks.host.setTimer(resolve, ms)
    await Promise.race([promise, broken]).finally(stop)
  }

  /** Sends a request on; it ends with its signal, and where the network breaks. */
  async function send(request: Request): Promise<Response> {
    const isStream = new URL(request.url).pathname === EVENTS
    const open = isStream ? streams : requests
    const exchange = begin(request.signal)
    if (faults.isGone) throw unreached('the host is gone')
    open.add(exchange)
    const end = activity.begin()
    try {
      if (faults.delayMs > 0) await pause(faults.delayMs, exchange)
      expire(request.headers)
      const answered = host(withSignal(request, exchange.over.signal))
      const response = await Promise.race([answered, exchange.broken])
      return isStream ? streamOf(response, exchange) : response
    } finally {
      if (!isStream) open.delete(exchange)
      end()
    }
  }

  /** An event stream without what is lost of it, which ends where its exchange breaks. */
  function streamOf(response: Response, exchange: Exchange): Response {
    const reader = response.body?.getReader()
    if (!reader) return response
    const filter = eventFilter(isLost)
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        for (;;) {
          const { done, value } = await Promise.race([reader.read(), exchange.broken])
          if (done) return controller.close()
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
    const windowUuid = windowOf(headers.get(TOKEN) ?? '')
    const expired = faults.expiredTokens.get(windowUuid)
    if (expired !== undefined) headers.set(TOKEN, expired)
    faults.expiredTokens.delete(windowUuid)
  }

  function isLost(event: unknown): boolean {
    const { type, seq } = (event ?? {}) as { readonly type?: unknown; readonly seq?: unknown }
    return type === 'rpc.stream' && faults.lostFrames.delete(seq as number)
  }

  function breakAll(open: Set<Exchange>, why: string): void {
    for (const { over } of open) over.abort(unreached(why))
    open.clear()
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
    /** Breaks the event streams that are open. */
    breakStreams: (why: string) => breakAll(streams, why),
    /** Breaks all that is under way. */
    breakAll(why: string) {
      breakAll(requests, why)
      breakAll(streams, why)
    },
  }
}

/** See `openNetwork`. */
export type Network = ReturnType<typeof openNetwork>

/** The window that a token is for; `''` where there is none. */
function windowOf(token: string): string {
  const [, claims = ''] = token.split('.')
  return claims && (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { wid: string }).wid
}

/** What `fetch` rejects with where a host is not reached. */
const unreached = (why: string) => new TypeError(`fetch failed: ${why}`)

/** The request with a signal of any realm: that of a DOM in a test is not Node's. */
function withSignal(request: Request, signal: AbortSignal): Request {
  return Object.defineProperty(request, 'signal', { value: signal, configurable: true })
}
