import { listening, type RawHttp, statuses } from '@svc/conformance/raw-http'
import { openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let services: TestHost
let at: Awaited<ReturnType<typeof listening>>
let raw: RawHttp
const opened: RawHttp[] = []

beforeAll(async () => {
  services = await openTestHost()
  at = await listening(services, await services.openWindow())
})
afterEach(async () => {
  for (const one of opened.splice(0)) one.end()
  // Whatever was tried, the next connection is served.
  raw = open()
  raw.write(at.head() + at.call)
  expect(statuses(await raw.until(/"result":\{\}\}$/))).toEqual([200])
  raw.end()
})
afterAll(() => services.close())

function open(): RawHttp {
  raw = at.open()
  opened.push(raw)
  return raw
}

/** Writes, and answers the statuses that came until the connection closed or said something whole. */
async function send(text: string, until = /\}\n?$/) {
  open().write(text)
  return statuses(await raw.until(until))
}

test('a right call as text is answered', async () => {
  expect(await send(at.head() + at.call)).toEqual([200])
  expect(raw.said).toContain('{"id":"raw","ok":true,"result":{}}')
})

describe('lengths that lie', () => {
  test('a Content-Length below the body cuts the body, and the rest is not a request', async () => {
    const said = await send(at.head({ 'content-length': '20' }) + at.call, /never/)
    expect(said.length).toBeGreaterThan(0)
    expect(said.every((status) => status === 400)).toBe(true)
    expect(raw.closed).toBe(true)
  })

  test('a Content-Length above the body waits for the rest, and a caller that leaves costs nothing', async () => {
    open().write(at.head({ 'content-length': '1000' }) + at.call)
    raw.end()
  })

  test.each([
    ['both lengths', { 'transfer-encoding': 'chunked' }],
    ['two Content-Lengths', { 'content-length': ['5', '6'] }],
    ['a Content-Length that is not a number', { 'content-length': 'five' }],
    ['a Content-Length below zero', { 'content-length': '-1' }],
    ['an unknown Transfer-Encoding', { 'content-length': null, 'transfer-encoding': 'gzip, identity' }],
    ['a header that is too long', { 'x-long': 'x'.repeat(20_000) }],
  ])('%s is refused and the connection closed', async (_name, headers) => {
    const said = await send(at.head(headers) + at.call, /never/)
    expect([400, 411, 431, 501]).toContain(said[0])
    expect(said).toHaveLength(1)
    expect(raw.closed).toBe(true)
  })

  test('a chunked body is read like any other', async () => {
    const chunked = `${at.call.length.toString(16)}\r\n${at.call}\r\n0\r\n\r\n`
    expect(await send(at.head({ 'content-length': null, 'transfer-encoding': 'chunked' }) + chunked)).toEqual(
      [200],
    )
  })

  test('a chunk of no size is refused', async () => {
    const text = at.head({ 'content-length': null, 'transfer-encoding': 'chunked' })
    expect(await send(`${text}zz\r\n{}\r\n0\r\n\r\n`, /never/)).toEqual([400])
  })
})

describe('big bodies', () => {
  verifies.each(['wall.body_cap', 'decision.envelope.cap'])([
    [1, 200],
    [4, 200],
    [8, 413],
    [64, 413],
  ])('a string of %i MiB is answered with %i', async (mib, status) => {
    const body = at.call.replace('{}', `{"client":"${'x'.repeat(mib * 1_048_576)}"}`)
    expect(await send(at.head({ 'content-length': String(body.length) }) + body)).toEqual([status])
  })

  verifies.each(['wall.body_cap'])([['with a Content-Length'], ['in chunks']])(
    'a body over the cap %s is answered with 413 while it is still coming',
    async (how) => {
      const length = how === 'in chunks' ? null : '8000000'
      open().write(
        at.head({ 'content-length': length, ...(length === null && { 'transfer-encoding': 'chunked' }) }),
      )
      const part = 'x'.repeat(65_536)
      const text = length === null ? `10000\r\n${part}\r\n` : part
      for (let n = 0; n < 110; n++) raw.write(text)
      expect(statuses(await raw.until(/\}$/))).toEqual([413])
      expect(raw.said).toContain('connection: close')
    },
  )

  verifies(['wall.body_after_token'], 'a bad token is answered before the body has come', async () => {
    open().write(at.head({ 'x-svc-app-token': 'x.y.z', 'content-length': '5000000' }))
    expect(statuses(await raw.until(/\}$/))).toEqual([401])
  })
})

describe('methods and heads', () => {
  verifies.each(['route.wrong_method'])([
    ['HEAD', 405],
    ['PUT', 405],
    ['OPTIONS', 405],
    ['TRACE', 405],
    ['DELETE', 405],
    ['GET', 405],
    ['PATCH', 405],
  ])('%s of the call route is answered with %i', async (method, status) => {
    const line = `${method} /api/v1/svc-apps/runtime/rpc`
    expect(await send(at.head({ 'content-length': '0' }, line), /\r\n\r\n/)).toEqual([status])
  })

  test.each([
    ['no target at all', 'POST'],
    ['a target of stars', 'OPTIONS *'],
    ['a target with a host of its own', 'GET http://evil.example/api/v1/svc-apps/windows'],
    ['a target that climbs', 'GET /../../etc/passwd'],
    ['a target of two slashes', 'GET //evil.example/x'],
    ['a target that cannot be decoded', 'GET /api/v1/svc-apps/bundles/%ff%/x'],
    ['an unknown method', 'BREW /pot'],
    ['CONNECT', 'CONNECT evil.example:443'],
  ])('%s is refused', async (_name, line) => {
    const said = await send(at.head({ 'content-length': '0' }, line), /\r\n\r\n/)
    expect(said.every((status) => status >= 400 && status < 500)).toBe(true)
    expect(said.length > 0 || raw.closed).toBe(true)
  })

  verifies.each(['wall.token.strict_text'])([
    ['the same twice', (token: string) => [token, token]],
    ['a good and a bad one', (token: string) => [token, 'x.y.z']],
    ['a bad and a good one', (token: string) => ['x.y.z', token]],
  ])('X-Svc-App-Token with %s is invalid_token', async (_name, tokens) => {
    const token = /x-svc-app-token: (.*)\r/.exec(at.head())?.[1] ?? ''
    expect(await send(at.head({ 'x-svc-app-token': tokens(token) }) + at.call)).toEqual([401])
  })

  verifies.each(['wall.host_header'])([
    ['the first of two', ['evil.example', '127.0.0.1'], 403],
    ['one with a path', ['127.0.0.1/x'], 403],
    ['none', [], 400],
  ])('%s of the Host headers counts', async (_name, host, status) => {
    expect(await send(at.head({ host }) + at.call, /\r\n\r\n/)).toEqual([status])
  })
})

test('1 000 requests in one write are answered in their order', async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => {
    const body = at.call.replace('"raw"', `"${n}"`)
    return at.head({ 'content-length': String(body.length) }) + body
  })
  const said = await send(many.join(''), /"id":"999","ok":true,"result":\{\}\}$/)
  expect(said).toEqual(Array(1_000).fill(200))
  const ids = Array.from(raw.said.matchAll(/\{"id":"(\d+)"/g), ([, id]) => Number(id))
  expect(ids).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
})
