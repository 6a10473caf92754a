import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { limits } from '@svc/contract'
import { LINK_VERSION, type LinkHead } from '@svc/contract/link-wire'
import { openWire, type Wire } from '@svc/runner/wire'
import { WebSocket } from 'ws'
import { systemClock } from '../clock.ts'
import { paths } from '../http/paths.ts'

/** What a machine heard. */
export interface Heard {
  readonly head: LinkHead
  readonly body: Buffer
}

/** A machine as a test speaks for it, honest or not. */
export interface RawMachine {
  readonly ws: WebSocket
  readonly wire: Wire
  readonly heard: Heard[]
  /** Resolves with the next message of a type that nobody took yet. */
  hear(type: string): Promise<Heard>
  /** Says it with its body. */
  say(head: object, body?: string | Uint8Array): void
  /** Answers a message. */
  answer(to: Heard, payload: unknown): void
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** How a machine comes in. */
export interface RawMachineOptions {
  readonly hello?: object | null
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it answers pings; default: it does. */
  readonly pongs?: boolean
}

const dial = (port: number, token: string | null, headers: object = {}) =>
  new WebSocket(`ws://127.0.0.1:${port}${paths.runnerLink}`, {
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
  })

/** What an honest machine says first. */
export const hello = {
  ...{ type: 'hello', version: LINK_VERSION, platform: 'linux-x64', node: 'v24.0.0', installs: ['local'] },
}

/** Connects as a machine; the caller closes it. */
export async function openMachine(
  port: number,
  token: string,
  { hello: first = hello, headers = {}, pongs = true }: RawMachineOptions = {},
): Promise<RawMachine> {
  const ws = dial(port, token, headers)
  ws.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  const [response] = (await once(ws, 'upgrade')) as [IncomingMessage]
  const heard: Heard[] = []
  const waiting = new Map<string, ((one: Heard) => void)[]>()
  const untaken: Heard[] = []
  const wire = openWire(ws, response.socket as Socket, {
    ...{ clock: systemClock, limits, room: () => Number.POSITIVE_INFINITY, onTooLong() {}, onEnd() {} },
    onMessage(head, bytes) {
      const one = { head, body: Buffer.from(bytes) }
      heard.push(one)
      if (head.type === 'ping' && pongs)
        wire.send({ type: 'pong', stats: { processes: 1, busy: 0, waiting: 0, noise: 0 } })
      const next = waiting.get(head.type)?.shift()
      if (next) next(one)
      else untaken.push(one)
    },
  })
  if (ws.readyState !== ws.OPEN) await once(ws, 'open')
  if (first) wire.send(first)
  return {
    ...{ ws, wire, heard, closed },
    hear: (type) =>
      new Promise((resolve) => {
        const at = untaken.findIndex(({ head }) => head.type === type)
        const [one] = at === -1 ? [] : untaken.splice(at, 1)
        if (one) resolve(one)
        else waiting.set(type, [...(waiting.get(type) ?? []), resolve])
      }),
    say: (head, body) => void wire.send(head, body === undefined ? undefined : Buffer.from(body)),
    answer: ({ head: { id } }, payload) =>
      void wire.send({ type: 'outcome', id, ok: true }, Buffer.from(JSON.stringify(payload))),
    closed,
  }
}

/** Asks for a link that is refused; answers the refusal. */
export async function refusedMachine(port: number, token: string | null, headers: object = {}) {
  const ws = dial(port, token, headers)
  ws.on('error', () => {})
  const [, response] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage]
  return { status: response.statusCode, body: JSON.parse(await text(response)) }
}
