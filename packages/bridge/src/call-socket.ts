import type { BridgeError } from './bridge-error.ts'
import type { CallSocketParts, CallSocketTools, OpenEvents } from './call-socket-parts.ts'
import type { BodyAnswer, Carry } from './carry.ts'

/** The page's call socket: a fetch costs most of a call, a frame next to nothing. */
export interface CallSocket {
  /** Carries a body while the socket stands; a long one, which would hold up the others, and any other goes by POST. */
  readonly carry: Carry
  /** Opens the event stream on the socket while it stands, else by `fetch`: a browser opens few connections to a host. */
  readonly events: OpenEvents
  /** Whether it stands: then a body needs no connection of its own. */
  readonly isOpen: () => boolean
  /** Opens it where it does not stand; says whether it is likely to come. What once stood is opened again when it breaks. */
  open(): boolean
  /** It may be dead without a word, as after a sleep: bodies go by POST until a new one stands. */
  doubt(): void
  /** Closes it; bodies under way are given up. */
  close(): void
}

/** One body under way. */
interface Exchange {
  take(status: number, text: string): void
  fail(error: unknown): void
}

const STREAM = { headers: { 'content-type': 'text/event-stream' } }
/** The number of the event stream, as bodies have theirs. */
const EVENTS = '0'

/** Makes the call socket of a page (its frames: `@svc/contract/wire`). */
export function createCallSocket(
  { url, protocols, byPost, fetch, clock, onSettled }: CallSocketParts,
  { pause, unreachable, isClosing, closing, longChars, retryMs, cursorMs, silentMs }: CallSocketTools,
): CallSocket {
  const waiting = new Map<string, Exchange>()
  let socket: WebSocket | undefined
  let isOpen = false
  /** The last try to open it did not come to a socket. */
  let failed = false
  /** It was waited for once, and is not again. */
  let slow: WebSocket | undefined
  let timer: unknown
  let count = 0
  let streams = 0
  /** When something came on it last. */
  let heardMs = 0
  /** Takes the bytes of the event stream, once the host has opened it here. */
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined

  function open(): void {
    if (socket) return
    let made: WebSocket
    try {
      made = new WebSocket(url, protocols)
    } catch {
      // A browser may forbid it at once, to a page of another scheme or by a policy.
      failed = true
      return
    }
    socket = made
    made.binaryType = 'arraybuffer'
    made.onopen = () => {
      isOpen = true
      heardMs = clock.now()
      failed = false
      onSettled()
    }
    made.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (socket !== made) return
      heardMs = clock.now()
      if (typeof data !== 'string') return sink?.enqueue(new Uint8Array(data))
      for (const line of data.split('\n')) {
        const [n = '', status = ''] = line.split(' ', 2)
        waiting.get(n)?.take(Number(status), line.slice(n.length + status.length + 2))
      }
    }
    made.onclose = ({ reason }) => {
      if (socket !== made) return
      const again = isOpen
      close(reason)
      if (again) timer = clock.setTimeout(open, retryMs)
      else if (!failed) {
        failed = true
        onSettled()
      }
    }
  }

  function close(reason?: string): void {
    socket?.close()
    socket = undefined
    isOpen = false
    clock.clearTimeout(timer)
    for (const exchange of waiting.values())
      exchange.fail(reason === closing ? reason : unreachable('the call socket closed'))
  }

  /** Opens another in the place of one that takes no more bodies, once it carries none. */
  function replace(): void {
    if (isOpen || waiting.size > Number(waiting.has(EVENTS)) || !socket) return
    close()
    open()
  }

  /** Takes no more bodies on it; those that are under way have as long as a stream may be silent. */
  function doubt(): void {
    const [doubted, sinceMs] = [socket, heardMs]
    isOpen = false
    replace()
    if (socket !== doubted || !doubted) return
    clock.clearTimeout(timer)
    timer = clock.setTimeout(() => {
      if (socket === doubted && heardMs === sinceMs) lose()
    }, silentMs)
  }

  /** It is dead, with all that is under way on it. */
  function lose(): void {
    close()
    open()
  }

  /** A socket keeps the sign-in that it was opened with, and its host: until there is a new one, all goes by requests. */
  const isOver = (status: number, text: string) => status === 401 || isClosing(status, text)

  return {
    carry(cargo) {
      const { body, token, onLine, signal } = cargo
      if (!isOpen || (cargo.count === 1 && body.length > 2 * longChars)) return byPost(cargo)
      return new Promise<BodyAnswer>((resolve, reject) => {
        signal.throwIfAborted()
        const n = String(++count)
        let left = cargo.count
        const over = () => {
          waiting.delete(n)
          signal.onabort = null
          replace()
        }
        const fail = (error: unknown) => {
          over()
          // Nothing of it has begun where a host closes, which answers all that it takes; what only reads may begin again.
          if (error === closing || (cargo.mayRepeat && !signal.aborted)) resolve(byPost(cargo))
          else reject(error)
        }
        signal.onabort = () => {
          socket?.send(n)
          fail(signal.reason)
        }
        waiting.set(n, {
          take(status, text) {
            if (status === 200) {
              onLine(text)
              if (--left > 0) return
            }
            if (isOver(status, text)) isOpen = false
            if (isClosing(status, text)) return fail(closing)
            over()
            resolve({ status, text })
          },
          fail,
        })
        socket?.send(`${n} ${token}\n${body}`)
      })
    },
    async events(address, init) {
      // While it comes up, no request takes a connection that it may need.
      if (socket?.readyState === 0 && socket !== slow && !failed) {
        await pause(clock, cursorMs, init.signal)
        if (!init.signal.aborted) slow = socket
      }
      // Who gave up meanwhile has asked again, and has the one stream of the socket.
      if (!isOpen || init.signal.aborted) return fetch(address, init)
      return new Promise((resolve) => {
        const { signal, headers } = init
        // What the host says of a stream that was given up may come yet.
        const own = String(++streams)
        /** Where it did not open, an ordinary request finds out why. */
        const fail = (error: unknown) => {
          waiting.delete(EVENTS)
          signal.onabort = null
          if (sink) sink.error(error)
          else resolve(fetch(address, init))
          sink = undefined
        }
        signal.onabort = () => {
          socket?.send(EVENTS)
          fail(signal.reason)
          if ((signal.reason as BridgeError).name !== 'BridgeError') return
          // The stream is silent. The socket is dead where nothing else came on it either.
          if (clock.now() - heardMs >= silentMs) lose()
          else doubt()
        }
        waiting.set(EVENTS, {
          take(status, of) {
            if (status < 300 && of !== own) return
            if (status !== 200) {
              if (isOver(status, of)) isOpen = false
              fail(status)
              return replace()
            }
            const start = (controller: typeof sink) => {
              sink = controller
            }
            resolve(new Response(new ReadableStream({ start }), STREAM))
          },
          fail,
        })
        const [, query = ''] = address.split('?')
        socket?.send(`${EVENTS} ${own} ${headers['last-event-id'] ?? ''}\n${query}`)
      })
    },
    isOpen: () => isOpen,
    open() {
      open()
      // One that takes no more bodies is replaced when those on it are answered, which is told.
      return !failed && (isOpen || socket?.readyState === 0)
    },
    doubt,
    close: () => close(),
  }
}
