import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { atPort } from '@svc/conformance/testing/host'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import { WebSocket } from 'ws'
import { paths } from '../kernel/request/paths.ts'

/** What an upgrade request says. */
export interface UpgradeHead {
  readonly port: number
  readonly cookie?: string
  /** Default: the host's own; `null` sends none. */
  readonly origin?: string | null
  readonly host?: string
  readonly path?: string
  /** Default: that of the call socket; `null` offers none. */
  readonly protocol?: string | readonly string[] | null
}

/** One line that the host wrote. */
export interface Line {
  readonly n: string
  readonly status: number
  readonly text: string
}

/** A call socket as a test speaks it, frame by frame. */
export interface TestSocket {
  readonly ws: WebSocket
  readonly lines: Line[]
  /** How many lines each frame of the host had. */
  readonly frames: number[]
  /** What came of the event stream. */
  readonly events: string[]
  send(frame: string | Uint8Array): void
  /** Sends a body under the next number; returns that number. */
  post(body: string | Uint8Array, token: string): string
  /** Sends a body; resolves with its first `count` answers. */
  ask(body: string | Uint8Array, token: string, count?: number): Promise<Line[]>
  /** Resolves with the lines of a number when there are as many, or when the socket has closed. */
  until(n: string, count?: number): Promise<Line[]>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

function dial({ port, cookie = '', origin, host, path = paths.calls, protocol }: UpgradeHead): WebSocket {
  const offered = protocol === null ? [] : [protocol ?? CALL_SOCKET_PROTOCOL].flat()
  return new WebSocket(`ws://127.0.0.1:${port}${path}`, offered, {
    headers: {
      cookie: atPort(cookie, { port }),
      ...(origin !== null && { origin: origin ?? `http://127.0.0.1:${port}` }),
      ...(host !== undefined && { host }),
    },
  })
}

/** Opens a call socket; the caller closes it. */
export async function openSocket(head: UpgradeHead): Promise<TestSocket> {
  const ws = dial(head)
  const lines: Line[] = []
  const frames: number[] = []
  const events: string[] = []
  let count = 0
  const news = new Set<() => void>()
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  ws.on('message', (data, isBinary) => {
    if (isBinary) return void events.push(String(data))
    const said = String(data).split('\n').slice(0, -1)
    frames.push(said.length)
    for (const line of said) {
      const [n = '', status = ''] = line.split(' ', 2)
      lines.push({ n, status: Number(status), text: line.slice(n.length + status.length + 2) })
    }
    for (const look of news) look()
  })
  // A broken socket is a closed one.
  ws.on('error', () => {})
  await once(ws, 'open')

  const until: TestSocket['until'] = (n, wanted = 1) =>
    new Promise((resolve) => {
      const look = () => {
        const own = lines.filter((line) => line.n === n)
        if (own.length < wanted && ws.readyState === ws.OPEN) return
        news.delete(look)
        resolve(own)
      }
      news.add(look)
      void closed.then(look)
      look()
    })
  const socket: TestSocket = {
    ws,
    lines,
    frames,
    events,
    closed,
    until,
    send: (frame) => ws.send(frame, { binary: false }),
    post(body, token) {
      const n = String(++count)
      socket.send(Buffer.concat([Buffer.from(`${n} ${token}\n`, 'latin1'), Buffer.from(body)]))
      return n
    },
    ask: (body, token, wanted) => until(socket.post(body, token), wanted),
  }
  return socket
}

/** Asks for an upgrade that is refused; returns the refusal. */
export async function refusedUpgrade(head: UpgradeHead) {
  const ws = dial(head)
  ws.on('error', () => {})
  const opened = once(ws, 'open').then(() => {
    ws.terminate()
    throw new Error('the upgrade was not refused')
  })
  const [, response] = (await Promise.race([once(ws, 'unexpected-response'), opened])) as [
    unknown,
    IncomingMessage,
  ]
  const said = await text(response)
  return { status: response.statusCode, type: response.headers['content-type'], body: JSON.parse(said) }
}
