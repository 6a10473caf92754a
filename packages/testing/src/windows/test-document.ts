import type { Svc } from '@svc/sdk'
import {
  createConnection,
  createSvc,
  type DocumentGlobal,
  forget,
  once,
  openDocument,
  type Place,
} from '@svc/sdk/testing'
import { TestHostError } from '../errors/test-host-error.ts'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import { type WatchedConnection, watchCalls } from './open-calls.ts'

/** Says something to the page, in the name of the frame that the document is in. */
export type Post = (data: unknown, ports: readonly MessagePort[]) => void

/** A document of an app: its client, and its end. */
export interface TestDocument {
  readonly svc: Svc
  /** The calls that have no answer yet, by their names. */
  readonly openCalls: readonly string[]
  /** The document goes away: what waits rejects with `bridge_reset`, and its ports are closed. Twice is harmless. */
  end(): void
}

/** What a document works with. */
export interface DocumentParts {
  readonly post: Post
  readonly clocks: Clocks
  readonly activity: Activity
  /** The global object of the test file, where the document is that of all its modules; else it is for itself. */
  readonly global?: typeof globalThis | undefined
}

/** Opens a document with a client of its own, or the one of a global object. */
export function openTestDocument({ post, clocks, activity, global }: DocumentParts): TestDocument {
  const events = global?.window ?? new EventTarget()
  const place = {
    parent: parentOf(post, activity) as object,
    addEventListener: events.addEventListener.bind(events),
    document: global?.document,
  }
  // The SDK uses no other part of a window.
  const window = place as unknown as Place & DocumentGlobal
  const connection = watchCalls(createConnection(window, clocks.page))
  if (global) takeDocument(connection)
  const document = openDocument(connection, window, clocks.page)
  if (global) once('whole', () => document)
  return {
    svc: createSvc(() => document),
    get openCalls() {
      return connection.open
    },
    end() {
      if (connection.isOver) return
      connection.isOver = true
      // Nobody is around it any more.
      place.parent = place
      events.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: false }))
      connection.close()
    },
  }
}

/** Makes this the connection that every copy of the SDK in this realm uses, in place of that of a window that is closed. */
function takeDocument(connection: WatchedConnection): void {
  const before: Partial<WatchedConnection> = once('connection', () => connection)
  if (before === connection) return
  if (!before.isOver)
    throw new TestHostError(
      'this document has a client already: a window of it is open, or the app used svc before it had one',
      'Close the window before, and import the app after openWindow({ document: globalThis }).',
    )
  forget()
  once('connection', () => connection)
}

/** The page as its document sees it: it takes messages and nothing else. */
const parentOf = (post: Post, activity: Activity) => ({
  postMessage(data: unknown, _target: string, ports: readonly MessagePort[]) {
    for (const port of ports) watchPort(port, activity)
    post(data, ports)
  },
})

/** Counts what goes over a port, both ways, at the page's end of it. */
function watchPort(port: MessagePort, activity: Activity): void {
  const send = port.postMessage.bind(port)
  port.postMessage = (said: unknown) => {
    activity.touch()
    send(said)
  }
  port.addEventListener('message', activity.touch)
}
