import { HELLO_TIMEOUT_MS } from '@svc/contract/browser'
import type { WindowHelloResult } from '@svc/contract/client'
import type { Download, Events, Hello as HelloMessage, Reset, Welcome } from '@svc/contract/wire'
import { createCalls, notHosted } from './calls.ts'
import { type Clock, systemClock } from './clock.ts'
import { ownError } from './errors.ts'
import type { CallMethod } from './proxy.ts'
import { createWire, type Wire } from './wire.ts'

/** The result of `window.hello`: what the document needs to know of its window, app and host. */
export type Hello = WindowHelloResult

/** Options of `connect`. */
export interface ConnectOptions {
  /** What the host may log about this client; sent with the first hello of the document. */
  readonly clientInfo?: Record<string, unknown>
}

/** The events of the connection for the rest of the SDK: those of the channel, and what the page says by its `svc`. */
export interface Listener {
  /** A channel was opened; `pageCalls` is the port on which the page calls into the document. */
  open?(pageCalls: MessagePort): void
  /** The page has taken the document in. */
  welcome?(message: Welcome): void
  /** Events of this window, each as JSON text. */
  events?(message: Events): void
  /** The event stream lost its place. */
  reset?(message: Reset): void
  /** The channel is gone; the next call opens a new one. */
  close?(): void
}

/** The one connection of a document to the page around it. */
export interface Connection {
  readonly call: CallMethod
  /** Says hello and remembers the answer; a failed hello is tried again by the next caller. */
  hello(clientInfo?: Record<string, unknown>): Promise<Hello>
  /** Whether a page answers the hello of this document; opens the channel. */
  hosted(): Promise<boolean>
  /** Takes the one listener of the document; an open channel is told at once. */
  listen(listener: Listener): void
  /** Whether a channel is open. */
  readonly isOpen: boolean
  /** Posts to the page itself, beside the channel. */
  post(message: HelloMessage | Download, ports: MessagePort[]): void
  /** Closes the channel; what waits rejects with `bridge_reset`. */
  close(): void
}

/** The global object of a connection: the document's window, or a substitute of a test. */
export interface Place {
  readonly parent: { postMessage(message: unknown, target: string, ports: MessagePort[]): void }
  addEventListener(
    type: 'pagehide' | 'pageshow',
    listener: (event: { readonly persisted: boolean }) => void,
  ): void
}

const reset = (name: string) => ownError('bridge_reset', `${name} got no answer; it may have run`)

/** Makes the connection of a document; the channel opens with the first call. */
export function createConnection(place: Place | undefined, clock: Clock = systemClock): Connection {
  let heard: Listener = {}
  let wire: Wire | undefined
  let pageCalls: MessagePort | undefined
  /** Whether the page answered, once that is known. */
  let answered: Promise<boolean> | undefined
  let settle: (isHosted: boolean) => void
  let hello: Promise<Hello> | undefined
  let told: Record<string, unknown> | undefined

  const calls = createCalls(open, clock)

  /** Opens the channel if there is none; returns its wire, or `undefined` where no page is around. */
  function open(): Wire | undefined {
    if (wire || !place || place.parent === (place as unknown)) return wire
    const callPorts = new MessageChannel()
    const pageCallPorts = new MessageChannel()
    pageCalls = pageCallPorts.port1
    answered = new Promise((resolve) => {
      const timer = clock.setTimeout(() => shut(notHosted), HELLO_TIMEOUT_MS)
      settle = (isHosted) => {
        clock.clearTimeout(timer)
        resolve(isHosted)
      }
    })
    wire = createWire(callPorts.port1, {
      answer: calls.answer,
      said(message) {
        if (message.svc === 'welcome') settle(true)
        heard[message.svc]?.(message as never)
      },
      gone: () => shut(),
    })
    post({ svc: 'hello', version: 1 }, [callPorts.port2, pageCallPorts.port2])
    heard.open?.(pageCalls)
    return wire
  }

  /** An opaque origin cannot be named as a target. */
  const post: Connection['post'] = (message, ports) => place?.parent.postMessage(message, '*', ports)

  function shut(makeError = reset): void {
    if (!wire) return
    settle(false)
    wire.close()
    pageCalls?.close()
    wire = pageCalls = hello = undefined
    calls.failAll(makeError)
    heard.close?.()
  }

  // A document that goes away settles what waits and keeps its port, which ends with it: a save of a listener that
  // comes after this one is still sent. A document that comes back from the cache greets again.
  place?.addEventListener('pagehide', () => calls.failAll(reset))
  place?.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    shut()
    open()
  })

  return {
    call: calls.call,
    hello(clientInfo) {
      told ??= clientInfo
      // Opening says hello too, for those who listen to it; that one is then the answer here.
      open()
      if (hello) return hello
      const asked = calls.call('window', 'hello', told && { client_info: told }) as Promise<Hello>
      hello = asked
      asked.catch(() => {
        if (hello === asked) hello = undefined
      })
      return asked
    },
    async hosted() {
      open()
      return answered ?? false
    },
    listen(listener) {
      heard = listener
      if (pageCalls) listener.open?.(pageCalls)
    },
    get isOpen() {
      return !!wire
    },
    post,
    close: () => shut(),
  }
}
