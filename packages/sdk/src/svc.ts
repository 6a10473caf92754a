import type { Client, Methods } from '@svc/contract'
import type { HostContext } from '@svc/contract/wire'
import { type AgentExtras, createAgent, type LlmExtras } from './agent.ts'
import { systemClock } from './clock.ts'
import type { Connection, ConnectOptions, Hello } from './connection.ts'
import { documentConnection, once } from './document.ts'
import { createEventHub, type EventHub, readEvent, type SdkEvent, type SdkEvents } from './events.ts'
import { type BeforeClose, createFace, type Face } from './face.ts'
import { createHeartbeat } from './heartbeat.ts'
import { branch, type CallMethod, createClient, createNamespace } from './proxy.ts'
import { createReporter } from './report.ts'
import { createTools, type ToolsExtras } from './tools.ts'

/** A method of the host API by its whole name, `storage.get`. */
export type MethodName = { [N in keyof Methods]: `${N}.${keyof Methods[N] & string}` }[keyof Methods]

/** What stands in `svc` beside the namespaces of the host API. */
export interface SvcExtras {
  /** Jobs, and the list of tools as it changes. */
  readonly tools: ToolsExtras
  /** Sessions of an agent. */
  readonly agent: AgentExtras
  /** Streams of a model. */
  readonly llm: LlmExtras
  /** The answer to the hello that the SDK sent by itself; `svc.window.hello()` asks anew. */
  readonly ready: Promise<Hello>
  /** The page's theme, language and focus; `undefined` until the page told. */
  readonly context: HostContext | undefined
  /**
   * Whether this host offers a method to this app, as its `hello` told (spec §9); an older host answers the
   * call itself with `not_implemented`. A host that tells no list of methods supports none.
   *
   * @throws HostRpcError `not_hosted`, as any call does.
   */
  supports(name: MethodName): Promise<boolean>
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
  /** Aborts when the document goes away for good. */
  readonly ended: AbortSignal
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
    const ended = new AbortController()
    globalThis.addEventListener?.('pagehide', ({ persisted }) => {
      if (!persisted) ended.abort()
    })
    let lost = false
    connection.listen({
      open(port) {
        face.offer(port)
        connection.hello().catch(() => undefined)
      },
      welcome(epoch) {
        heartbeat.start()
        hub.emit('connected', epoch)
        // What the page sent into the channel before is gone with it.
        if (lost) hub.emit('reset')
        lost = false
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
        lost = true
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
    return { connection, hub, face, ended: ended.signal }
  })

let opened: Whole | undefined
/** What the document has, looked up once a copy of the SDK. */
const open = (): Whole => {
  opened ??= whole()
  return opened
}

const call: CallMethod = (ns, method, args, options) => open().connection.call(ns, method, args, options)
const on: EventHub['on'] = (type, listener) => open().hub.on(type, listener)

const rpc = createClient(call)
const tools = createTools({
  rpc: rpc.tools,
  on,
  tap: (hear) => open().hub.tap(hear),
  clock: systemClock,
  get ended() {
    return open().ended
  },
})
const { session, ...llm } = createAgent(() => {
  const { hub, ended } = open()
  return { rpc, tap: hub.tap, clock: systemClock, ended }
})

const extras: SvcExtras = {
  // The namespace with its methods: the proxy leaves what stands here alone.
  tools: createNamespace(call, 'tools', tools) as ToolsExtras,
  agent: createNamespace(call, 'agent', {
    session: branch(call, 'agent', 'session', session),
  }) as AgentExtras,
  llm: createNamespace(call, 'llm', llm) as LlmExtras,
  async supports(name) {
    const { capabilities } = await open().connection.hello()
    return (capabilities as Partial<Hello['capabilities']> | undefined)?.methods?.includes(name) ?? false
  },
  get ready() {
    const ready = open().connection.hello()
    ready.catch(() => undefined)
    return ready
  },
  get context() {
    return open().face.context
  },
  on,
  onBeforeClose: (handler) => open().face.onBeforeClose(handler),
}

/**
 * The host API as the bundle sees it: `await svc.tools.invoke({ … })`. It connects by itself with the first
 * use; several copies of the SDK in one document share one connection.
 */
export const svc: Svc = createClient(call, extras) as Svc

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
