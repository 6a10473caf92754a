import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect } from 'vitest'
import { type HostProcess, startHostProcess } from './testing/host-process.ts'
import type { RunHostFigures, RunHostReady } from './testing/run-host.ts'
import { someRows } from './testing/some-rows.ts'
import { longTurnMaxMs, measuredTurn } from './testing/turn-meter.ts'
import { verifies } from './verifies.ts'

const MIB = 1_048_576
const BODY_BYTES = 100 * MIB
let host: HostProcess
let at: RunHostReady

beforeAll(async () => {
  host = startHostProcess('run-host.ts')
  at = JSON.parse(await host.line('ready'))
  // The first run loads the SDK of models, and may go on for a while.
  await post(runOf({}))
  while ((await history()).length < 2);
})
afterAll(() => host.kill())

const RPC = '/api/v1/svc-apps/runtime/rpc'
const headersOf = ({ token, cookie }: RunHostReady['ada']) => ({
  'x-svc-app-token': token,
  cookie,
  origin: at.url,
  'content-type': 'application/json',
})

/**
 * Sends a body over a connection of its own. `fetch` would copy it first: for seconds in which this process sends nothing,
 * and the host ends connections that it would use.
 */
async function send(by: RunHostReady['ada'], body: Uint8Array) {
  const headers = { ...headersOf(by), 'content-length': body.length }
  const sent = request(at.url + RPC, { method: 'POST', agent: false, headers })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const answer = (await json(response)) as { ok: boolean; result: unknown; error?: { message: string } }
  return { status: response.statusCode, answer }
}

/** Sends heartbeats of bob's window, one after the other, until some work is done; how many were answered meanwhile. */
async function beatsBeside(work: Promise<unknown>): Promise<number> {
  const { windowUuid: window_uuid } = at.bob
  const call = { id: 'b', window_uuid, ns: 'window', method: 'heartbeat', args: {} }
  const body = Buffer.from(JSON.stringify(call))
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let count = 0
  while (!isDone) {
    const { status } = await send(at.bob, body)
    expect(status).toBe(200)
    count += 1
  }
  await done
  return count
}

let asked = 0
/** What the host says of itself; its longest turn is that since it was last asked. */
async function figures(): Promise<RunHostFigures> {
  asked += 1
  const word = `figures-${asked}`
  host.tell(word)
  return JSON.parse(await host.line(word))
}

const runOf = (args: object) =>
  Buffer.from(
    JSON.stringify({
      id: 'long',
      window_uuid: at.ada.windowUuid,
      ns: 'agent',
      method: 'session.run',
      args: { app_session_uuid: at.session.app_session_uuid, content: 'Look.', ...args },
    }),
  )
/** Five pictures that together make a body of so many bytes. */
const pictures = (bytes: number) => {
  const data = Buffer.alloc((bytes / 5 / 4) * 3 - 300, 'picture')
  Buffer.from('iVBORw0KGgo=', 'base64').copy(data)
  data.fill(0, 8, 32)
  return Array(5).fill({ type: 'image/png', data: data.toString('base64') })
}
const asPicture = (data: string) => ({ type: 'image/png', data })
const escaped = (body: Buffer) => Buffer.from(String(body).replaceAll('/', '\\/'))

const post = async (body: Uint8Array) => {
  const { status, answer } = await send(at.ada, body)
  return [status, answer.ok ? 'ok' : answer.error?.message]
}

/** The messages of the session: what was asked, and the answers that came to their end. */
async function history(): Promise<unknown[]> {
  const { windowUuid: window_uuid, session } = { ...at.ada, session: at.session.app_session_uuid }
  const call = {
    id: 'h',
    window_uuid,
    ns: 'agent',
    method: 'session.history',
    args: { app_session_uuid: session },
  }
  const { answer } = await send(at.ada, Buffer.from(JSON.stringify(call)))
  return (answer.result as { messages: unknown[] }).messages
}

/** Three texts of so many bytes together, each as long as a text may be. */
const texts = (one: string, bytes: number) =>
  Array(3).fill(one.repeat(bytes / 3 / Buffer.byteLength(JSON.stringify(one).slice(1, -1))))

const bodies = [
  ['pictures', () => runOf({ attachments: pictures(BODY_BYTES) }), 200, /^ok$/],
  [
    'pictures with every slash escaped',
    () => escaped(runOf({ attachments: pictures(BODY_BYTES * 0.9) })),
    200,
    /^ok$/,
  ],
  [
    'pictures that are no base64',
    () => runOf({ attachments: texts('!', BODY_BYTES * 0.75).map(asPicture) }),
    400,
    /must be base64/,
  ],
  [
    'pictures that are too large',
    () => runOf({ attachments: texts('A', BODY_BYTES * 0.95).map(asPicture) }),
    400,
    /must hold at most/,
  ],
  [
    'one text',
    () => runOf({ content: 'x'.repeat(BODY_BYTES) }),
    400,
    /^a text in the body must have at most/,
  ],
  ['long texts', () => runOf({ content: texts('x', BODY_BYTES * 0.95) }), 400, /^content must be a string/],
  [
    'a long content, and more',
    () => runOf({ content: texts(' ', BODY_BYTES * 0.95)[0], more: texts('x', 0.6 * BODY_BYTES) }),
    400,
    /^content must have at most/,
  ],
  [
    'a long prompt, and more',
    () => runOf({ systemPrompt: texts(' ', BODY_BYTES * 0.95)[0], more: texts('x', 0.6 * BODY_BYTES) }),
    400,
    /^systemPrompt must have/,
  ],
  ['two bytes a character', () => runOf({ more: texts('\u2028', BODY_BYTES * 0.9) }), 200, /^ok$/],
  ['quotes', () => runOf({ more: texts('"', BODY_BYTES * 0.9) }), 200, /^ok$/],
  ['a million texts', () => runOf({ more: Array(MIB).fill('x'.repeat(90)) }), 400, /must have few values/],
  ['thousands of texts', () => runOf({ more: Array(8_000).fill('x'.repeat(13_000)) }), 200, /^ok$/],
  ['thousands of short texts', () => runOf({ more: Array(8_000).fill('x'.repeat(4_096)) }), 200, /^ok$/],
  ['brackets', () => Buffer.from(`{"a":${'['.repeat(BODY_BYTES)}`), 400, /at most 64 levels/],
  ['digits', () => Buffer.from(`{"a":${'1'.repeat(BODY_BYTES)}}`), 400, /^id must be a string/],
  ['spaces', () => Buffer.alloc(BODY_BYTES, ' '), 400, /must be JSON/],
] as const

verifies.each(['wall.body.run.apart', 'wall.body.run'])(someRows<(typeof bodies)[number]>(bodies, 3))(
  'while 100 MiB of %s are read and parsed, the host keeps nobody else waiting for more than 100 ms',
  async (_name, bodyOf, status, message) => {
    const body = bodyOf()
    const { longestTurnMs, maxMs } = await measuredTurn(async () => {
      await figures()
      const answer = post(body)
      expect(await beatsBeside(answer)).toBeGreaterThan(10)
      expect(await answer).toEqual([status, expect.stringMatching(message)])
      return figures()
    }, longTurnMaxMs)
    expect(longestTurnMs).toBeLessThan(maxMs)
  },
)

verifies('wall.body.run.apart', 'bodies that come at once are not held at once', async () => {
  const body = runOf({ attachments: pictures(BODY_BYTES) })
  await post(body)
  const before = await figures()
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(body)))
  expect(answers).toEqual(Array(4).fill([200, 'ok']))
  // Four runs keep their pictures until they begin: three quarters of a body each.
  expect((await figures()).memoryMiB - before.memoryMiB).toBeLessThan((4 * BODY_BYTES) / MIB)
})
