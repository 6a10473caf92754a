import { timingSafeEqual } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HMRPayload, Plugin } from 'vite'
import { BASE } from './base.ts'

type Listener = (...said: unknown[]) => unknown

/** The longest message of a window that is read. */
const MESSAGE_MAX_BYTES = 1_048_576
/** How many restarts ago a window may have read its client. */
const OLDER_MAX = 8
const RELOAD = JSON.stringify({ type: 'full-reload', path: '*' } satisfies HMRPayload)
const REFUSED = 'HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Stands between a server and Vite: a socket needs the token of Vite's client, also where it names no `Origin`, as
 * programs do not. One with the token of a server that was started again is told to reload. What a window sends is what its
 * app wants: only what the client sends is passed on, and a listener that cannot read it does not end this process.
 */
export function openWindowSockets(server: Pick<Server, 'on'>) {
  /** What Vite takes for the server: it hears of the sockets that were let in. */
  const admitted = new EventEmitter()
  let token = ''
  /** Those of servers that were started again: windows may have read their client just before. */
  const older: string[] = []
  const outdated = new WeakSet<object>()

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const query = request.url?.match(/\?.*/s)?.[0] ?? ''
    const protocol = request.headers['sec-websocket-protocol']
    // A ping opens, is closed at once and says nothing: a client waits with it for a server that comes back.
    const given = new URLSearchParams(query).get('token')
    const isOutdated = older.some((one) => isToken(given, one))
    const isAdmitted =
      protocol === 'vite-ping' || (protocol === 'vite-hmr' && (isOutdated || isToken(given, token)))
    if (!isAdmitted) return void socket.end(REFUSED, () => socket.destroy())
    if (isOutdated) outdated.add(request)
    // The client knows the folder of the bundle as its base.
    request.url = isOutdated ? `${BASE}?token=${token}` : BASE + query
    try {
      admitted.emit('upgrade', request, socket, head)
    } catch {
      // A server that could not be started again listens beside the one before it, and the second has no use for it.
      socket.destroy()
    }
  })

  const plugin: Plugin = {
    name: 'svc:window-sockets',
    apply: 'serve',
    // Before the listeners of other plugins are there.
    enforce: 'pre',
    configureServer({ config, ws, environments: { client } }) {
      if (token !== '') older.push(token)
      if (older.length > OLDER_MAX) older.shift()
      token = config.webSocketToken
      const hot = client.hot as { on: (event: string, listener: Listener) => void }
      const on = hot.on.bind(hot)
      hot.on = (event, listener) => on(event, guarded(listener))
      ws.on('connection', (socket, request) => {
        guardMessages(socket as EventEmitter)
        if (outdated.has(request)) socket.send(RELOAD)
      })
    },
  }
  return { admitted: admitted as unknown as Server, plugin }
}

/** Whether a text is the token. */
function isToken(text: string | null, token: string): boolean {
  const [given, own] = [Buffer.from(text ?? ''), Buffer.from(token)]
  return own.length > 0 && given.length === own.length && timingSafeEqual(given, own)
}

/** Lets only messages of the client through to the listeners of a socket, whoever they are. */
function guardMessages(socket: EventEmitter): void {
  const emit = socket.emit.bind(socket)
  socket.emit = (event, ...said: unknown[]) => {
    if (event !== 'message') return emit(event, ...said)
    if (!isOfClient(said[0])) return false
    try {
      return emit(event, ...said)
    } catch {
      return false
    }
  }
}

/**
 * Whether a message is one that the client of Vite sends for an app: an event of the app's own, an error, or a module
 * that cannot be updated. All other names of Vite's are for programs that it trusts.
 */
function isOfClient(raw: unknown): boolean {
  if (!Buffer.isBuffer(raw) || raw.length > MESSAGE_MAX_BYTES) return false
  try {
    const message: HMRPayload | null = JSON.parse(raw.toString())
    if (message?.type !== 'custom' || typeof message.event !== 'string') return false
    if (message.event === 'vite:invalidate') return isInvalidation(message.data)
    return message.event === 'vite:forward-console' || !message.event.startsWith('vite:')
  } catch {
    return false
  }
}

function isInvalidation(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || !('path' in data) || typeof data.path !== 'string')
    return false
  const texts: readonly unknown[] = [
    'message' in data ? data.message : '',
    'firstInvalidatedBy' in data ? data.firstInvalidatedBy : '',
  ]
  return texts.every((one) => typeof one === 'string')
}

const guarded =
  (listener: Listener): Listener =>
  async (...said) => {
    try {
      await listener(...said)
    } catch {
      // It is no message of the client, and nobody else is told of it.
    }
  }
