import { listening, type RawHttp, statuses } from '@svc/conformance/raw-http'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits as defaults } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSubmodes } from '../../testing/agent-host.ts'

const SHORT = 2_000
const LONG = 200_000
const limits = { RPC_BODY_MAX_BYTES: SHORT, RUN_BODY_MAX_BYTES: LONG }
const opened: RawHttp[] = []
let services: TestHost
let window: TestWindow
let at: Awaited<ReturnType<typeof listening>>
let session: string

async function open(options: TestHostOptions = {}) {
  const own = await openTestHost({ manifest: withSubmodes({ auto: true }), limits, ...options })
  const ownWindow = await own.openWindow()
  return { services: own, window: ownWindow, at: await listening(own, ownWindow) }
}
beforeAll(async () => {
  ;({ services, window, at } = await open())
  const made = await window.call('agent', 'session.create', { submode: 'auto' })
  session = made.ok ? String(made.result.app_session_uuid) : ''
})
afterAll(async () => {
  for (const raw of opened) raw.end()
  await services.close()
})
const connect = () => {
  const raw = at.open()
  opened.push(raw)
  return raw
}

/** A picture of so many bytes: a head, and then nothing. */
const picture = (bytes: number) =>
  Buffer.concat([Buffer.from('iVBORw0KGgo=', 'base64'), Buffer.alloc(bytes)]).toString('base64')
const envelope = (over: object = {}) => ({
  id: 'long',
  window_uuid: window.windowUuid,
  ns: 'agent',
  method: 'session.run',
  args: {
    app_session_uuid: session,
    content: 'Look.',
    attachments: [{ type: 'image/png', data: picture(6_000) }],
  },
  ...over,
})
const run = (over: object = {}) => JSON.stringify(envelope(over))
const lengthOf = (text: string | Buffer) => ({ 'content-length': String(Buffer.byteLength(text)) })
const chunked = { 'content-length': null, 'transfer-encoding': 'chunked' }
const inChunks = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

/** The ways that a body comes to a host. */
const ways: [string, (body: string | Buffer) => Promise<[number, unknown]>][] = [
  ['with its length', (body) => overWire(at.head(lengthOf(body)), body)],
  ['in chunks', (body) => overWire(at.head(chunked), inChunks(Buffer.from(body).toString('latin1')))],
  [
    'by fetch',
    async (body) => {
      const { status, text } = await window.post(body)
      return [status, JSON.parse(text)]
    },
  ],
]
async function overWire(head: string, body: string | Buffer): Promise<[number, unknown]> {
  const raw = connect()
  raw.write(head)
  raw.write(Buffer.from(body as string, 'latin1'))
  const said = await raw.until(/\}$/)
  return [statuses(said)[0] ?? 0, JSON.parse(said.slice(said.indexOf('\r\n\r\n') + 4))]
}
const failure = (message: RegExp, id = '') => ({
  id,
  ok: false,
  error: { code: 'invalid_arg', message: expect.stringMatching(message) },
})

describe.each(ways)('a long body %s', (_way, send) => {
  verifies(['wall.body.run', 'run.attachments.once'], 'is the run that it holds', async () => {
    const [status, answer] = await send(run())
    expect([status, answer]).toEqual([
      200,
      { id: 'long', ok: true, result: { stream_id: expect.any(String), run_id: expect.any(String) } },
    ])
  })

  const huge = (bytes: number) => run({ args: { content: 'x'.repeat(bytes) } })
  verifies.each(['wall.body.run', 'decision.envelope.cap', 'wall.depth', 'wall.body_cap'])([
    [
      'a call that is not a run',
      () => run({ method: 'session.history' }),
      400,
      /^only agent\.session\.run /,
      'long',
    ],
    ['a run of another namespace', () => run({ ns: 'llm' }), 400, /^only agent\.session\.run /, 'long'],
    ['several calls', () => `[${run()}]`, 413, /^the body must have at most 2000 bytes/, ''],
    ['more than a run may have', () => huge(LONG), 413, /^the body must have at most 200000 bytes/, ''],
    [
      'too deep a value',
      () => run({ more: JSON.parse('['.repeat(64) + ']'.repeat(64)) }),
      400,
      /at most 64 levels/,
      '',
    ],
    ['too many values', () => run({ more: Array(20_000).fill(0) }), 400, /must have few values/, ''],
    [
      'too long a name',
      () => run({ ['n'.repeat(257)]: 0 }),
      400,
      /name of a field must have at most 256/,
      '',
    ],
    ['no JSON', () => run().slice(0, -1), 400, /^the body must be JSON/, ''],
    ['no call', () => run({ args: 7 }), 400, /^args must be an object/, 'long'],
    [
      'bytes that are not text',
      () => Buffer.from(run()).fill(0xff, 500, 501),
      400,
      /^the body must be UTF-8/,
      '',
    ],
    ['a wrong argument', () => huge(SHORT), 400, /^app_session_uuid must/, 'long'],
  ] as const)('with %s is refused', async (_name, body, status, message, id) => {
    expect(await send(body())).toMatchObject([status, failure(message, id)])
  })
})

describe('before it is read', () => {
  const seven = { 'content-length': '7000' }
  verifies.each(['wall.body.run', 'wall.body_after_token'])([
    ['under a bad token', { 'x-svc-app-token': 'x.y.z' }, 401],
    ["under another user's cookie", { cookie: 'svc_signin_1=x' }, 401],
    ['of another type', { 'content-type': 'text/plain' }, 415],
    ['from elsewhere', { origin: 'https://evil.example' }, 403],
    ['of more than a run may have', { 'content-length': '200001' }, 413],
  ])('a body %s is refused', async (_name, headers, status) => {
    const raw = connect()
    raw.write(at.head({ ...seven, ...headers }))
    expect(statuses(await raw.until(/\}$/))).toEqual([status])
    expect(raw.said).toContain('connection: close')
  })

  verifies.each('wall.body.run')([
    ['an app without a submode', {}, false, 413],
    ['an app whose submodes are off', withSubmodes({ auto: false, fixed: null }), false, 413],
    ['a window that is closed', withSubmodes({ fixed: { client_ids: [] } }), true, 404],
  ] as const)('a body of %s is refused', async (_name, manifest, isClosed, status) => {
    const other = await open({ manifest })
    if (isClosed) await other.window.call('window', 'close')
    for (const [headers, part] of [
      [seven, ''],
      [chunked, inChunks('x'.repeat(3_000)).slice(0, -5)],
    ] as const) {
      const raw = other.at.open()
      raw.write(other.at.head(headers) + part)
      expect(statuses(await raw.until(/\}$/))).toEqual([status])
      raw.end()
    }
    await other.services.close()
  })
})

verifies(
  'wall.body.run.apart',
  'one body of a user is read at a time; nobody else waits for it',
  async () => {
    const body = run()
    const [slow, waiting, leaving] = [connect(), connect(), connect()]
    slow.write(at.head(lengthOf(body)) + body.slice(0, 100))
    for (let n = 0; n < 20; n += 1) expect((await window.call('window', 'heartbeat')).ok).toBe(true)
    leaving.write(at.head(lengthOf(body)) + body)
    waiting.write(at.head(lengthOf(body)) + body)
    leaving.end()
    const bob = await services.signIn('bob')
    const { version } = await services.host.apps.release('ada', services.appId, '1.0.0')
    await services.host.apps.install('bob', { app_id: services.appId, version })
    const others = await services.openWindow(undefined, undefined, bob)
    expect(await others.post(run({ window_uuid: others.windowUuid }))).toMatchObject({
      status: 404,
      body: { error: { code: 'APP_SESSION_NOT_FOUND' } },
    })
    expect([slow.said, waiting.said]).toEqual(['', ''])
    slow.write(body.slice(100))
    expect(statuses(await slow.until(/\}$/))).toEqual([200])
    expect(statuses(await waiting.until(/\}$/))).toEqual([200])
  },
)

verifies(
  ['wall.token.head', 'wall.body_after_token'],
  'a body that takes longer than its token lives is answered, and the next call needs a new one',
  async () => {
    const clock = frozenClock()
    const other = await open({ clock })
    const raw = other.at.open()
    const { call, head } = other.at
    raw.write(head({ expect: '100-continue' }))
    await raw.until(/100 Continue/)
    raw.write(call.slice(0, 20))
    await clock.advance(defaults.WINDOW_TOKEN_TTL_MS + defaults.TOKEN_SKEW_MS)
    expect((await other.window.call('window', 'heartbeat')).ok).toBe(false)
    raw.write(call.slice(20) + head() + call)
    expect(statuses(await raw.until(/invalid_token/))).toEqual([100, 200, 401])
    raw.end()
    await other.services.close()
  },
)

test('a body that breaks off gives its turn to the next', async () => {
  const body = run()
  const broken = connect()
  broken.write(at.head(lengthOf(body)) + body.slice(0, 3_000))
  expect((await window.call('window', 'heartbeat')).ok).toBe(true)
  broken.end()
  expect((await overWire(at.head(lengthOf(body)), body))[0]).toBe(200)
})

test('behind a long body the connection serves the next call', async () => {
  const raw = connect()
  const body = run()
  raw.write(at.head(lengthOf(body)) + body + at.head() + at.call)
  expect(statuses(await raw.until(/"id":"raw","ok":true,"result":\{\}\}$/))).toEqual([200, 200])
})
