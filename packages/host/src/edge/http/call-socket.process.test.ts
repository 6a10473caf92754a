import { readFileSync } from 'node:fs'
import { listening } from '@svc/conformance/raw-http'
import { atPort, openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paths } from '../../kernel/request/paths.ts'
import { forger, forgeries } from '../../testing/forgeries.ts'
import { openSocket, type TestSocket } from '../../testing/socket.ts'

const SECRET = 'a secret of more than thirty-two characters'
const NOW = Date.UTC(2030, 0, 1)
let services: TestHost
let window: TestWindow
let port: number
let socket: TestSocket

beforeAll(async () => {
  services = await openTestHost({
    clock: frozenClock(NOW),
    secret: SECRET,
    manifest: { host_api: { storage: ['*'] } },
  })
  window = await services.openWindow()
  port = (await listening(services, window)).port
})
afterAll(() => services.close())
beforeEach(async () => {
  socket = await openSocket({ port, cookie: window.cookie })
})
afterEach(() => socket.ws.terminate())

const envelope = (over: Record<string, unknown> = {}) =>
  JSON.stringify({
    id: '1',
    window_uuid: window.windowUuid,
    ns: 'window',
    method: 'heartbeat',
    args: {},
    ...over,
  })

/** A POST of the body; returns its status and lines. */
async function byPost(body: string | Uint8Array, token: string) {
  const url = `http://127.0.0.1:${port}`
  const response = await fetch(url + paths.rpc, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-app-token': token,
      origin: url,
      cookie: atPort(window.cookie, { port }),
    },
    body,
  })
  const text = await response.text()
  const isLines = response.headers.get('content-type')?.startsWith('application/x-ndjson')
  return { status: response.status, texts: isLines ? text.split('\n').slice(0, -1).sort() : [text] }
}

/** A body that is sent both ways is served twice: what it writes has the next generation. */
const once = (text: string) => text.replace(/"generation":\d+/, '"generation":0')

/** Sends a body both ways; what a POST gets is what the socket must answer. */
async function bothWays(body: string | Uint8Array, token = window.token) {
  const posted = await byPost(body, token)
  const lines = await socket.ask(body, token, posted.texts.length)
  expect(lines.map(({ text }) => once(text)).sort()).toEqual(posted.texts.map(once))
  expect(lines.map(({ status }) => status)).toEqual(posted.texts.map(() => posted.status))
  return posted
}

const corpus: { raw: string[] } = JSON.parse(
  readFileSync(new URL('../../../../conformance/corpora/envelopes.json', import.meta.url), 'utf8'),
)

describe('is answered as a POST is', () => {
  verifies.each(['design.socket.same'])(corpus.raw.map((raw) => [raw]))('the body %j', async (raw) => {
    await bothWays(raw.replaceAll('"W"', JSON.stringify(window.windowUuid)))
  })

  const around = (bytes: number[]) => {
    const [before = '', after = ''] = envelope().split('{}')
    return Buffer.concat([Buffer.from(`${before}{"x":"`), Buffer.from(bytes), Buffer.from(`"}${after}`)])
  }
  const set = (value: string) =>
    envelope({ ns: 'storage', method: 'set', args: { key: 'k', value: 0 } }).replace(':0}', `:${value}}`)
  const get = () => envelope({ ns: 'storage', method: 'get', args: { key: 'k' } })
  const list = (...calls: string[]) => `[${calls.join(',\n')}]`
  const many = (count: number) => list(...Array.from({ length: count }, (_, at) => envelope({ id: `${at}` })))
  verifies.each(['design.socket.same', 'wall.body_cap', 'wall.depth'])([
    ['one call', () => envelope(), 200],
    ['white space and lines around and in it', () => ` \n${set('{\n "a" :\r\n [ 1 ] }')}\r\n`, 200],
    ['what was stored', get, 200],
    ['an id that must be escaped', () => envelope({ id: 'a"\n\u2028\\' }), 200],
    ['text of every plane', () => set('"\\u0000 \\ud800 ä \u{1f600} \u2028"'), 200],
    ['an array', () => list(envelope({ id: 'a' }), get(), '{}', envelope({ ns: 'nosuch' })), 200],
    ['an array of 64', () => many(64), 200],
    ['an array of 65', () => many(65), 400],
    ['an array of none', () => '[]', 400],
    [
      'an array with a call that is too deep',
      () => list(envelope(), set('['.repeat(80) + ']'.repeat(80))),
      200,
    ],
    ['another window', () => envelope({ window_uuid: 'w' }), 401],
    ['an undeclared method', () => envelope({ ns: 'tools', method: 'list' }), 403],
    ['what is not there', () => envelope({ ns: 'storage', method: 'get', args: { key: 'none' } }), 404],
    ['an unknown method', () => envelope({ method: 'nosuch' }), 501],
    ['an invalid byte', () => around([0xff]), 400],
    ['an overlong NUL', () => around([0xc0, 0x80]), 400],
    ['a character cut off', () => around([0xf0, 0x9f, 0x98]), 400],
    ['a surrogate as bytes', () => around([0xed, 0xa0, 0x80]), 400],
    ['UTF-16', () => Buffer.from(envelope(), 'utf16le'), 400],
    ['a NUL behind the body', () => `${envelope()}\0`, 400],
    ['two bodies', () => envelope() + envelope(), 400],
    ['no body', () => '', 400],
    ['a million lists', () => set('['.repeat(1_000_000)), 400],
    ['a value of 4 MiB', () => envelope({ args: { client: 'x'.repeat(4 * 1_048_576) } }), 200],
    ['a body of the cap', () => `"${'x'.repeat(6_291_454)}"`, 400],
    ['a body of one byte more', () => `"${'x'.repeat(6_291_455)}"`, 413],
  ])('%s', async (_name, body, status) => {
    expect((await bothWays(body())).status).toBe(status)
    // Whatever it was, the socket goes on.
    expect(await socket.ask(envelope(), window.token)).toMatchObject([{ status: 200 }])
  })
})

describe('the token of a body', () => {
  const claims = () => JSON.parse(Buffer.from(window.token.split('.')[1] ?? '', 'base64url').toString())
  /** What no header of HTTP can hold is left out, and what is too long for one. */
  const inHeader = (text: string) => text === text.trim() && text.length < 4_096

  verifies(['wall.socket.token', 'design.socket.same'], 'is judged as over a POST', async () => {
    const good = claims()
    expect((await bothWays(envelope(), forger(SECRET, good)())).status).toBe(200)
    const tokens = forgeries(SECRET, good).filter(([, text]) => inHeader(text))
    expect(tokens.length).toBeGreaterThan(40)
    for (const [name, text] of tokens) expect([name, (await bothWays('{', text)).status]).toEqual([name, 401])
  })

  verifies(
    ['wall.socket.token', 'wall.token.user_exists', 'decision.window.closed_by_state'],
    'is judged anew for each body: a closed window, an expired token; and closes with its user',
    async () => {
      const clock = frozenClock(NOW)
      const own = await openTestHost({ clock })
      const { port } = await own.host.listen(0)
      const [first, second] = [await own.openWindow(), await own.openWindow()]
      const one = await openSocket({ port, cookie: first.cookie })
      const ask = async ({ windowUuid, token }: TestWindow) => {
        const [line] = await one.ask(envelope({ window_uuid: windowUuid }), token)
        return [line?.status, JSON.parse(line?.text ?? '').error?.code]
      }
      expect([await ask(first), await ask(second)]).toEqual([
        [200, undefined],
        [200, undefined],
      ])
      await own.host.windows.close('ada', first.windowUuid, null)
      expect(await ask(first)).toEqual([404, 'not_found'])
      await clock.advance(122_000)
      expect(await ask(second)).toEqual([401, 'invalid_token'])
      const third = await own.openWindow()
      expect(await ask(third)).toEqual([200, undefined])
      expect(one.ws.readyState).toBe(one.ws.OPEN)
      await own.host.users.remove('ada')
      expect((await one.closed).code).toBe(1008)
      await own.close()
    },
  )

  it('of another user is refused', async () => {
    const cookie = await services.signIn('bob')
    const foreign = await openSocket({ port, cookie })
    expect(await foreign.ask(envelope(), window.token)).toMatchObject([{ status: 401 }])
    foreign.ws.terminate()
  })
})
