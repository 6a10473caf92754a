import { Agent, type IncomingMessage, request } from 'node:http'
import type { ServerProcess } from '../lib/server.ts'

/** Servers close idle connections after five seconds: before that, however late a timer is, they are closed here. */
const agent = new Agent({ keepAlive: true, timeout: 1_500 })

/** A request on loopback; settles with its answer's head. */
export const send = (
  port: number,
  options: { path: string; method?: string; headers?: Record<string, string> },
  body = '',
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, agent, ...options }, resolve)
    asked.on('error', reject).end(body)
  })

/** Streams through the bare pipe: each settles with its first byte's time, all are read to their end. Each has a reader of its own. */
export async function pipes(
  server: ServerProcess,
  count: number,
  reader: () => (text: string) => void = () => () => {},
): Promise<number> {
  const begin = performance.now()
  const body = JSON.stringify({
    model: 'bench-1',
    stream: true,
    messages: [{ role: 'user', content: 'hello' }],
  })
  const firsts = Array.from({ length: count }, async () => {
    const answer = await send(server.port, { path: '/', method: 'POST' }, body)
    let first = Number.NaN
    const read = reader()
    for await (const piece of answer.setEncoding('latin1')) {
      if (Number.isNaN(first)) first = performance.now() - begin
      read(piece)
    }
    return first
  })
  return Math.min(...(await Promise.all(firsts)))
}

/** A page with one window that reads the event stream of a host. */
export interface Page {
  /** Makes so many sessions. */
  sessions(count: number): Promise<string[]>
  /** Gives each session a turn and reads all frames to their ends; settles with the time of the first token. */
  turns(sessions: readonly string[]): Promise<number>
  close(): void
}

const END = '"event":"end"'
const TOKEN = '"content":'

/** Opens it; `read` gets all that comes. */
export async function openPage(
  { port, ready }: ServerProcess,
  read: (text: string) => void = () => {},
): Promise<Page> {
  const { token = '', cookie = '', window = '' } = ready
  const origin = `http://127.0.0.1:${port}`
  const headers = { cookie, origin, host: `127.0.0.1:${port}` }
  const path = `/api/v1/svc-apps/runtime/events?windows=${window}`
  const stream = await send(port, { path, headers })
  if (stream.statusCode !== 200) throw new Error(`the event stream answered ${stream.statusCode}`)
  let left = 0
  let first: (() => void) | null = null
  let done = () => {}
  let carry = ''
  stream.setEncoding('latin1').on('data', (chunk: string) => {
    read(chunk)
    const text = carry + chunk
    // Too short to be counted twice, long enough for an end that came in two pieces.
    carry = text.slice(1 - END.length)
    if (first && text.includes(TOKEN)) {
      first()
      first = null
    }
    for (let at = text.indexOf(END); at !== -1; at = text.indexOf(END, at + 1)) left -= 1
    if (left === 0) done()
  })
  let isOpen = true
  stream.on('close', () => {
    if (isOpen) throw new Error('the event stream was cut')
  })

  async function call<T>(method: string, args: object): Promise<T> {
    const body = JSON.stringify({ id: '1', window_uuid: window, ns: 'agent', method, args })
    const answer = await send(
      port,
      {
        path: '/api/v1/svc-apps/runtime/rpc',
        method: 'POST',
        headers: { ...headers, 'x-svc-app-token': token, 'content-type': 'application/json' },
      },
      body,
    )
    let text = ''
    for await (const chunk of answer) text += chunk
    const envelope = JSON.parse(text)
    if (!envelope.ok) throw new Error(text)
    return envelope.result
  }
  return {
    async sessions(count) {
      const made: string[] = []
      for (let at = 0; at < count; at += 1) {
        const { app_session_uuid } = await call<{ app_session_uuid: string }>('session.create', {
          submode: 'auto',
        })
        made.push(app_session_uuid)
      }
      return made
    },
    async turns(sessions) {
      left = sessions.length
      const begin = performance.now()
      const over = new Promise<void>((resolve) => {
        done = resolve
      })
      const firstToken = new Promise<number>((resolve) => {
        first = () => resolve(performance.now() - begin)
      })
      await Promise.all(
        sessions.map((app_session_uuid) => call('session.run', { app_session_uuid, content: 'hello' })),
      )
      await over
      return firstToken
    },
    close() {
      isOpen = false
      stream.destroy()
    },
  }
}
