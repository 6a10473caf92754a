import type { Client } from '@svc/contract/client'
import type { AgentParts } from './agent.ts'
import type { Clock } from './clock.ts'
import type { Connection } from './connection.ts'
import { createEventHub, type EventHub, readEvent } from './events.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createPageCallHandlers, type PageCallHandlers } from './page-calls.ts'
import { createClient } from './proxy.ts'
import { createReporter } from './report.ts'

/** What a document has once beside its connection: events, heartbeat, error reports, what the page calls. */
export interface OpenDocument extends EventHub, Omit<AgentParts, keyof EventHub | 'rpc'> {
  readonly rpc: Client
  readonly connection: Connection
  readonly pageCalls: PageCallHandlers
}

/** The global object of a document: in a browser `globalThis`, which is its window; elsewhere it may have neither. */
export interface DocumentGlobal {
  readonly document?: { addEventListener(type: 'visibilitychange', listener: () => void): void }
  addEventListener?(
    type: 'pagehide' | 'error' | 'unhandledrejection',
    listener: (event: Partial<GlobalEvent>) => void,
  ): void
}
/** What such an event says: that its document is kept, or what was not caught. */
interface GlobalEvent {
  readonly persisted: boolean
  readonly error: unknown
  readonly message: string
  readonly reason: unknown
}

/** Opens the document over its connection. It says hello when the channel is open, and stays as long as its global. */
export function openDocument(connection: Connection, global: DocumentGlobal, clock: Clock): OpenDocument {
  const hub = createEventHub()
  const pageCalls = createPageCallHandlers((context) => hub.emit('context', context))
  const heartbeat = createHeartbeat({
    beat: () => connection.call('window', 'heartbeat'),
    clock,
    onWake: (run) => global.document?.addEventListener('visibilitychange', run),
  })
  const ended = new AbortController()
  global.addEventListener?.('pagehide', ({ persisted }) => {
    if (!persisted) ended.abort()
  })
  let lost = false
  connection.listen({
    open(port) {
      pageCalls.offer(port)
      connection.hello().catch(() => undefined)
    },
    welcome({ epoch }) {
      heartbeat.start()
      hub.emit('connected', epoch)
      // What the page sent into the channel before is gone with it.
      if (lost) hub.emit('reset')
      lost = false
    },
    events({ events }) {
      for (const text of events) {
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
  const report = createReporter((error) => connection.call('window', 'report_error', error), clock.now)
  for (const source of ['error', 'unhandledrejection'] as const)
    global.addEventListener?.(source, ({ error, message, reason }) => {
      if (connection.isOpen) report(source, reason ?? error ?? message)
    })
  return { ...hub, connection, rpc: createClient(connection.call), pageCalls, clock, ended: ended.signal }
}
