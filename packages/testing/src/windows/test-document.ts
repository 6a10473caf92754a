import type { Svc } from '@svc/sdk'
import { createConnection, createSvc, openDocument } from '@svc/sdk/testing'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import { watchCalls } from './open-calls.ts'

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
}

/** The events of a window that the SDK listens to, in a test without a DOM. */
type Listener = (event: object) => void

/** Opens a document with a client of its own. */
export function openTestDocument({ post, clocks, activity }: DocumentParts): TestDocument {
  const listeners = new Map<string, Set<Listener>>()
  const global = {
    parent: parentOf(post, activity) as object,
    addEventListener(type: string, listener: Listener) {
      const heard = listeners.get(type) ?? new Set()
      listeners.set(type, heard.add(listener))
    },
  }
  // The SDK uses no other part of a window.
  const window = global as unknown as Pick<Window, 'parent' | 'addEventListener'>
  const connection = watchCalls(createConnection(window, clocks.page))
  const document = openDocument(connection, window, clocks.page)
  let isOver = false
  return {
    svc: createSvc(() => document),
    get openCalls() {
      return connection.open
    },
    end() {
      if (isOver) return
      isOver = true
      // Nobody is around it any more.
      global.parent = global
      for (const listener of listeners.get('pagehide') ?? []) listener({ persisted: false })
      connection.close()
    },
  }
}

/** The page as its document sees it: it takes messages and nothing else. */
export const parentOf = (post: Post, activity: Activity) => ({
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
