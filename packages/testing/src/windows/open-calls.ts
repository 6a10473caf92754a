import type { Connection } from '@svc/sdk/testing'

/** What the SDK calls by itself: no test waits for it. */
const OWN_CALLS: ReadonlySet<string> = new Set(['window.hello', 'window.heartbeat', 'window.report_error'])

/** A connection that knows which of its calls have no answer yet. */
export interface WatchedConnection extends Connection {
  /** Their names, the oldest first. */
  readonly open: readonly string[]
  /** Its document went away for good. */
  isOver: boolean
}

/** Watches the calls of a connection. */
export function watchCalls(connection: Connection): WatchedConnection {
  const open = new Map<object, string>()
  return {
    hello: connection.hello,
    hosted: connection.hosted,
    listen: connection.listen,
    post: connection.post,
    close: connection.close,
    isOver: false,
    get isOpen() {
      return connection.isOpen
    },
    get open() {
      return [...open.values()]
    },
    async call(ns, method, args, options) {
      const name = `${ns}.${method}`
      const one = {}
      if (!OWN_CALLS.has(name)) open.set(one, name)
      try {
        return await connection.call(ns, method, args, options)
      } finally {
        open.delete(one)
      }
    },
  }
}
