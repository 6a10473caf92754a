import { CALL_SOCKET_RETRY_MS } from '@svc/contract/browser'
import { CALL_SOCKET_PROTOCOL, CLOSING, TOGETHER_MAX_CHARS } from '@svc/contract/wire'
import { unreachable } from './bridge-error.ts'
import type { BodyAnswer, Carry } from './carry.ts'
import type { Clock } from './clock.ts'
import { isClosing } from './closing.ts'

/** The page's call socket: a fetch costs most of a call, a frame next to nothing. */
export interface CallSocket {
  /** Carries a body while the socket stands; a long one, which would hold up the others, and any other goes by POST. */
  readonly carry: Carry
  /** Whether it stands: then a body needs no connection of its own. */
  readonly isOpen: () => boolean
  /** Opens it where it does not stand. What once stood is opened again when it breaks. */
  open(): void
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

/** Makes the call socket of a page (its frames: `@svc/contract/wire`). */
export function createCallSocket(url: string, byPost: Carry, clock: Clock): CallSocket {
  const waiting = new Map<string, Exchange>()
  let socket: WebSocket | undefined
  let isOpen = false
  let timer: unknown
  let count = 0

  function open(): void {
    if (socket) return
    let made: WebSocket
    try {
      made = new WebSocket(url, CALL_SOCKET_PROTOCOL)
    } catch {
      // A browser may forbid it at once, to a page of another scheme or by a policy.
      return
    }
    socket = made
    made.onopen = () => {
      isOpen = true
    }
    made.onmessage = ({ data }: MessageEvent<string>) => {
      for (const line of data.split('\n')) {
        const [n = '', status = ''] = line.split(' ', 2)
        waiting.get(n)?.take(Number(status), line.slice(n.length + status.length + 2))
      }
    }
    made.onclose = ({ reason }) => {
      if (socket !== made) return
      const again = isOpen
      close(reason)
      if (again) timer = clock.setTimeout(open, CALL_SOCKET_RETRY_MS)
    }
  }

  function close(reason?: string): void {
    socket?.close()
    socket = undefined
    isOpen = false
    clock.clearTimeout(timer)
    for (const exchange of waiting.values())
      exchange.fail(reason === CLOSING ? reason : unreachable('the call socket closed'))
  }

  /** Opens another in the place of one that takes no more bodies, once it carries none. */
  function replace(): void {
    if (isOpen || waiting.size > 0 || !socket) return
    close()
    open()
  }

  return {
    carry(cargo) {
      const { body, token, onLine, signal } = cargo
      if (!isOpen || (cargo.count === 1 && body.length > 2 * TOGETHER_MAX_CHARS)) return byPost(cargo)
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
          // Nothing of it has begun: a closing host answers all that it takes.
          if (error === CLOSING) resolve(byPost(cargo))
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
            // A socket keeps the sign-in that it was opened with: until there is a new one, bodies go by POST.
            const isLeft = isClosing(status, text)
            if (status === 401 || isLeft) isOpen = false
            if (isLeft) return fail(CLOSING)
            over()
            resolve({ status, text })
          },
          fail,
        })
        socket?.send(`${n} ${token}\n${body}`)
      })
    },
    isOpen: () => isOpen,
    open,
    doubt() {
      isOpen = false
      replace()
    },
    close: () => close(),
  }
}
