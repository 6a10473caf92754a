import type { Client } from '@svc/contract'
import type { HostContext } from '@svc/contract/wire'
import { systemClock } from './clock.ts'
import type { Connection, ConnectOptions, Hello } from './connection.ts'
import { documentConnection, once } from './document.ts'
import { createEventHub, type EventHub, readEvent, type SdkEvent, type SdkEvents } from './events.ts'
import { type BeforeClose, createFace, type Face } from './face.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createClient } from './proxy.ts'
import { createReporter } from './report.ts'

/** What stands in `svc` beside the namespaces of the host API. */
export interface SvcExtras {
  /** The answer to the hello that the SDK sent by itself; `svc.window.hello()` asks anew. */
  readonly ready: Promise<Hello>
  /** The page's theme, language and focus; `undefined` until the page told. */
  readonly context: HostContext | undefined
  /** Listens to an event; what came earlier is heard first. Answers how to stop listening. */
  on<Type extends SdkEvent>(type: Type, listener: SdkEvents[Type]): () => void
  /** Asked before the user closes the window: `false`, or a promise of it, keeps the window. The page waits 1 s. */
  onBeforeClose(handler: BeforeClose): () => void
}

/** The client object of a bundle: every namespace of the host API, events, and the window's surroundings. */
export type Svc = Client & SvcExtras

interface Whole {
  readonly connection: Connection
  readonly hub: EventHub
  readonly face: Face
}

/** What the document has once beside its connection: events, heartbeat, error reports, the face to the page. */
const whole = (): Whole =>
  once('whole', () => {
    const connection = documentConnection()
    const hub = createEventHub()
    const face = createFace((context) => hub.emit('context', context))
    const heartbeat = createHeartbeat({
      beat: () => connection.call('window', 'heartbeat'),
      clock: systemClock,
      onWake: (run) => globalThis.document?.addEventListener('visibilitychange', run),
    })
    connection.listen({
      open(port) {
        face.offer(port)
        connection.hello().catch(() => undefined)
      },
      welcome(epoch) {
        heartbeat.start()
        hub.emit('connected', epoch)
      },
      events(texts) {
        for (const text of texts) {
          const event = readEvent(text)
          if (event) hub.emit(event.type, event)
        }
      },
      reset: () => hub.emit('reset'),
      close() {
        heartbeat.stop()
        hub.emit('disconnected')
      },
    })
    if (connection.isOpen) heartbeat.start()
    const report = createReporter(
      (error) => connection.call('window', 'report_error', error),
      systemClock.now,
    )
    globalThis.addEventListener?.('error', (event) => {
      if (connection.isOpen) report('error', event.error ?? event.message)
    })
    globalThis.addEventListener?.('unhandledrejection', (event) => {
      if (connection.isOpen) report('unhandledrejection', event.reason)
    })
    return { connection, hub, face }
  })

let opened: Whole | undefined
/** What the document has, looked up once a copy of the SDK. */
const open = (): Whole => {
  opened ??= whole()
  return opened
}

const extras: SvcExtras = {
  get ready() {
    const ready = open().connection.hello()
    ready.catch(() => undefined)
    return ready
  },
  get context() {
    return open().face.context
  },
  on: (type, listener) => open().hub.on(type, listener),
  onBeforeClose: (handler) => open().face.onBeforeClose(handler),
}

/**
 * The host API as the bundle sees it: `await svc.tools.invoke({ … })`. It connects by itself with the first
 * use; several copies of the SDK in one document share one connection.
 */
export const svc: Svc = createClient(
  (ns, method, args, options) => open().connection.call(ns, method, args, options),
  extras,
) as Svc

/**
 * Connects the document to its host and answers `svc` once the host answered the hello.
 *
 * @throws HostRpcError `not_hosted` when nobody answers in 2 s, at once in a tab of its own.
 */
export async function connect({ clientInfo }: ConnectOptions = {}): Promise<Svc> {
  await open().connection.hello(clientInfo)
  return svc
}

/** Whether a host stands around this document: true once it answered, false after 2 s, at once in a tab of its own. */
export const isHosted = (): Promise<boolean> => open().connection.hosted()
