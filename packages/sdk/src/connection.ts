import { HELLO_TIMEOUT_MS } from '@svc/contract/browser'
import type { WindowHelloResult } from '@svc/contract/client'
import type { Hello as HelloMessage } from '@svc/contract/wire'
import { createCalls } from './calls.ts'
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

/** The events of the connection for the rest of the SDK. */
export interface Listener {
  /** A channel was opened; `pageCalls` is the port on which the page calls into the document. */
  open?(pageCalls: MessagePort): void
  /** The page has taken the document in. */
  welcome?(epoch: number): void
  /** Events of this window, each as JSON text. */
  events?(texts: readonly string[]): void
  /** The event stream lost its place. */
  reset?(): void
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
  listen(listener: Listener): void
  /** Whether a channel is open. */
  readonly isOpen: boolean
  /** Closes the channel; what waits rejects with `bridge_reset`. */
  close(): void
}

/** The global object of a connection: the document's window, or a substitute of a test. */
export type Place = Pick<Window, 'parent' | 'addEventListener'>

const notHosted = () =>
  ownError('not_hosted', 'no host page answers this document', 'Open the app in the shell.')
const reset = (name: string) => ownError('bridge_reset', `${name} got no answer; it may have run`)

/** Makes the connection of a document; the channel opens with the first call. */
export function createConnection(place: Place | undefined, clock: Clock = systemClock): Connection {
  const listeners: Listener[] = []
  let wire: Wire | undefined
  let pageCalls: MessagePort | undefined
  let answered: Promise<boolean> | undefined
  let greet: ((yes: boolean) => void) | undefined
  let helloTimer: unknown
  let hello: Promise<Hello> | undefined
  let told: Record<string, unknown> | undefined

  const calls = createCalls(
    {
      send: (id, ns, method, text) => {
        open()
        if (wire) wire.call(id, ns, method, text)
        else calls.failAll(notHosted)
      },
      drop: (id) => wire?.drop(id),
    },
    clock,
  )

  function notify(speak: (listener: Listener) => void): void {
    for (const listener of listeners) speak(listener)
  }

  function open(): void {
    if (wire || !place || place.parent === (place as unknown)) return
    const callPorts = new MessageChannel()
    const pageCallPorts = new MessageChannel()
    pageCalls = pageCallPorts.port1
    answered = new Promise((resolve) => {
      greet = resolve
    })
    wire = createWire(callPorts.port1, {
      answer: calls.answer,
      welcome(epoch) {
        clock.clearTimeout(helloTimer)
        greet?.(true)
        notify((listener) => listener.welcome?.(epoch))
      },
      events: (texts) => notify((listener) => listener.events?.(texts)),
      reset: () => notify((listener) => listener.reset?.()),
      gone: () => shut(),
    })
    helloTimer = clock.setTimeout(() => shut(notHosted), HELLO_TIMEOUT_MS)
    const message: HelloMessage = { svc: 'hello', version: 1 }
    // The only post to a window in either direction: an opaque origin cannot be named as a target.
    place.parent.postMessage(message, '*', [callPorts.port2, pageCallPorts.port2])
    notify((listener) => listener.open?.(pageCallPorts.port1))
  }

  function shut(makeError = reset): void {
    if (!wire) return
    clock.clearTimeout(helloTimer)
    wire.close()
    pageCalls?.close()
    wire = undefined
    hello = undefined
    greet?.(false)
    calls.failAll(makeError)
    notify((listener) => listener.close?.())
  }

  const call: CallMethod = (ns, method, args, options) => {
    const result = calls.call(ns, method, args, options)
    if (method === 'hello' && ns === 'window') result.then(learn, () => undefined)
    return result
  }

  function learn(result: unknown): void {
    calls.toolTimeoutMs = (result as Partial<Hello>).capabilities?.tool_timeout_ms
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
    call,
    hello(clientInfo) {
      told ??= clientInfo
      // Opening says hello too, for those who listen to it; that one is then the answer here.
      open()
      if (hello) return hello
      const asked = call('window', 'hello', told && { client_info: told }) as Promise<Hello>
      hello = asked
      asked.catch(() => {
        if (hello === asked) hello = undefined
      })
      return asked
    },
    async hosted() {
      open()
      return wire ? (answered ?? false) : false
    },
    listen(listener) {
      listeners.push(listener)
      if (wire && pageCalls) listener.open?.(pageCalls)
    },
    get isOpen() {
      return wire !== undefined
    },
    close: () => shut(),
  }
}
