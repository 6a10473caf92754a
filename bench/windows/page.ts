import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import { WebSocket } from '../lib/ws.ts'

/** A window as its page knows it. */
export interface PageWindow {
  readonly window_uuid: string
  readonly token: string
}

/** The page of one user: its windows, one event stream and one call socket, as the bridge has them. */
export interface Page {
  readonly cookie: string
  readonly windows: PageWindow[]
  ask(method: string, path: string, body?: unknown): Promise<unknown>
  openStream(path: string): Promise<void>
  openSocket(path: string): Promise<void>
  /** One call over the socket; resolves with its answer. */
  call(window: PageWindow, method: string, args?: object): Promise<string>
  /** Resolves when the stream tells something with this text in it. */
  hears(text: string): Promise<void>
  close(): void
}

/** So few connections carry what is asked once. */
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** Sends one request; resolves with its cookie and body. Throws where it was refused. */
export function ask(
  port: number,
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly cookie: string; readonly json: unknown }> {
  const origin = `http://127.0.0.1:${port}`
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { origin, 'content-type': 'application/json', ...headers },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => {
          if (answer.statusCode !== 200 && answer.statusCode !== 201)
            return reject(new Error(`${path}: ${text}`))
          const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
          resolve({ cookie, json: text.startsWith('{') ? JSON.parse(text) : text })
        })
      },
    )
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Opens the page of a user who is signed in. */
export function openPage(port: number, cookie: string): Page {
  const closers: (() => void)[] = []
  const waiting = new Map<string, (answer: string) => void>()
  const listening = new Map<string, () => void>()
  const origin = `http://127.0.0.1:${port}`
  let socket: InstanceType<typeof WebSocket> | undefined
  let n = 0

  return {
    cookie,
    windows: [],
    ask: async (method, path, body) => (await ask(port, method, path, body, { cookie })).json,
    openStream: (path) =>
      new Promise((resolve, reject) => {
        const stream = connect(port, '127.0.0.1')
        closers.push(() => stream.destroy())
        stream.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`)
        stream.setEncoding('latin1').on('error', reject)
        stream.on('data', (chunk) => {
          const text = String(chunk)
          if (text.includes('retry:')) resolve()
          for (const [mark, heard] of listening) if (text.includes(mark)) heard()
        })
      }),
    openSocket: (path) =>
      new Promise((resolve, reject) => {
        const opened = new WebSocket(`ws://127.0.0.1:${port}${path}`, [CALL_SOCKET_PROTOCOL], {
          origin,
          headers: { cookie },
          perMessageDeflate: false,
        })
        socket = opened
        closers.push(() => opened.terminate())
        opened.on('error', reject).on('open', resolve)
        opened.on('message', (data: Buffer) => {
          for (const line of data.toString().split('\n').slice(0, -1)) {
            const [name = ''] = line.split(' ', 1)
            waiting.get(name)?.(line.slice(name.length + 1))
            waiting.delete(name)
          }
        })
      }),
    call: ({ window_uuid, token }, method, args = {}) =>
      new Promise((resolve) => {
        n += 1
        waiting.set(String(n), resolve)
        socket?.send(`${n} ${token}\n${JSON.stringify({ id: '1', window_uuid, ns: 'window', method, args })}`)
      }),
    hears: (mark) =>
      new Promise((resolve) => {
        listening.set(mark, () => {
          listening.delete(mark)
          resolve()
        })
      }),
    close() {
      for (const close of closers) close()
    },
  }
}
