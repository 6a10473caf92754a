import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { limits } from '@svc/contract'
import { systemClock } from '@svc/node'
import { LINK_VERSION, type LinkHead, linkProof, openWire, type Wire } from '@svc/runner/link'
import { WebSocket } from 'ws'
import { paths } from '../kernel/request/paths.ts'

/** What a machine heard. */
export interface MachineMessage {
  readonly head: LinkHead
  readonly body: Buffer
}

/** A machine as a test speaks for it, honest or not. */
export interface RawMachine {
  readonly ws: WebSocket
  readonly wire: Wire
  readonly heard: MachineMessage[]
  /** Resolves with the next message of a type that nobody took yet. */
  hear(type: string): Promise<MachineMessage>
  /** Says it with its body. */
  say(head: object, body?: string | Uint8Array): void
  /** Answers a message. */
  answer(to: MachineMessage, payload: unknown): void
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** The key of every machine that is given none. */
const someKey = generateKeyPairSync('ed25519')

/** How a machine comes in. */
export interface RawMachineOptions {
  /** What it says first, beside its proof; `null`: nothing. */
  readonly hello?: object | null
  readonly key?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  /** Whether it says that it stored its next token; default: it does not, and its token stays good. */
  readonly keeps?: boolean
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
  type: 'hello',
  version: LINK_VERSION,
  platform: 'linux-x64',
  node: 'v24.0.0',
  installs: ['local'],
}

/** What proves a key to the host that sent a challenge. */
export function proofOf(
  challenge: LinkHead,
  port: number,
  { publicKey, privateKey }: NonNullable<RawMachineOptions['key']>,
): { readonly host: string; readonly key: string | undefined; readonly signature: string } {
  const host = `127.0.0.1:${port}`
  const { runner_id, nonce } = challenge as LinkHead & { runner_id: string; nonce: string }
  const signature = sign(null, Buffer.from(linkProof({ host, runner_id, nonce })), privateKey)
  return {
    host,
    key: publicKey.export({ format: 'jwk' }).x,
    signature: signature.toString('base64url'),
  }
}

/** Connects as a machine; the caller closes it. */
export async function openMachine(
  port: number,
  token: string,
  { hello: first = hello, headers = {}, pongs = true, key = someKey, keeps = false }: RawMachineOptions = {},
): Promise<RawMachine> {
  const ws = dial(port, token, headers)
  ws.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  const heard: MachineMessage[] = []
  const waiting = new Map<string, ((one: MachineMessage) => void)[]>()
  const untaken: MachineMessage[] = []
  const opened = Promise.withResolvers<Wire>()
  const open = (connection: Socket): Wire => {
    const say = (head: object) => void made.send(head)
    const made: Wire = openWire(ws, connection, {
      clock: systemClock,
      limits,
      room: () => Number.POSITIVE_INFINITY,
      onTooLong() {},
      onEnd() {},
      onMessage(head, bytes) {
        const one = { head, body: Buffer.from(bytes) }
        heard.push(one)
        if (head.type === 'challenge' && first) say({ ...proofOf(head, port, key), ...first })
        if (head.type === 'welcome' && keeps) say({ type: 'kept' })
        if (head.type === 'ping' && pongs)
          say({ type: 'pong', stats: { processes: 1, busy: 0, waiting: 0, noise: 0 } })
        const next = waiting.get(head.type)?.shift()
        if (next) next(one)
        else untaken.push(one)
      },
    })
    return made
  }
  // In the very turn in which it opens: the challenge may come with the answer to the upgrade.
  ws.once('upgrade', ({ socket }) => ws.once('open', () => opened.resolve(open(socket as Socket))))
  ws.once('close', () => opened.reject(new Error('the connection was closed before it opened')))
  const wire = await opened.promise
  return {
    ws,
    wire,
    heard,
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

/** Asks for a link that is refused; returns the refusal. */
export async function refusedMachine(port: number, token: string | null, headers: object = {}) {
  const ws = dial(port, token, headers)
  ws.on('error', () => {})
  const [, response] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage]
  return { status: response.statusCode, body: JSON.parse(await text(response)) }
}
