import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { BEARER_PROTOCOL, CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mintPageToken } from '../../access/tokens/page-tokens.ts'
import { paths } from '../../kernel/request/paths.ts'
import { openSocket, refusedUpgrade, type UpgradeHead } from '../../testing/socket.ts'

const PAGE = 'https://app.site.org'
const BURST = 30
const secret = 's'.repeat(32)

let services: TestHost
let window: TestWindow
let port: number
let token: string

beforeEach(async () => {
  services = await openTestHost({
    origins: [PAGE, 'https://host.net'],
    pageTokens: { secret },
    limits: { RATE_REFUSED_PER_SECOND: 0, RATE_REFUSED_BURST: BURST },
  })
  window = await services.openWindow()
  port = (await services.host.listen(0)).port
  token = await mintPageToken({ secret, user: 'ada' })
})
afterEach(() => services.close())

const ask = (path: string, init: RequestInit = {}, bearer = token) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { origin: PAGE, authorization: `Bearer ${bearer}`, ...init.headers },
  })
const beat = () =>
  JSON.stringify({ id: '1', window_uuid: window.windowUuid, ns: 'window', method: 'heartbeat', args: {} })
const call = () => ({
  method: 'POST',
  body: beat(),
  headers: { 'content-type': 'application/json', 'x-svc-app-token': window.token },
})
const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }

verifies.each('route.cors')<[path: string, init: () => RequestInit, status: number]>([
  [paths.rpc, call, 200],
  [paths.rpc, () => ({ method: 'POST' }), 401],
  [paths.rpc, () => preflight, 204],
  [`${paths.events}?windows=`, () => ({}), 200],
  ['/api/v1/svc-apps/windows', () => ({}), 200],
  ['/api/v1/svc-apps/windows', () => preflight, 204],
  ['/api/v1/svc-apps/nowhere', () => ({}), 404],
])('%s is answered to a page of another site', async (path, init, status) => {
  const given = new AbortController()
  const { headers, ...response } = await ask(path, { ...init(), signal: given.signal }).then((answer) => ({
    status: answer.status,
    headers: answer.headers,
  }))
  given.abort()
  expect([response.status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
    status,
    PAGE,
    'origin',
  ])
})

const dial = (over: Partial<UpgradeHead>, bearer = token): UpgradeHead => ({
  port,
  host: 'host.net',
  origin: PAGE,
  protocol: [CALL_SOCKET_PROTOCOL, BEARER_PROTOCOL + bearer],
  ...over,
})

verifies(
  'sign_in.page',
  'a socket has its token among its subprotocols, and none is repeated to it',
  async () => {
    const socket = await openSocket(dial({}))
    expect(socket.ws.protocol).toBe(CALL_SOCKET_PROTOCOL)
    const [line] = await socket.ask(beat(), window.token)
    expect(line?.status).toBe(200)
    socket.ws.close()
  },
)

verifies(
  'sign_in.page_ends',
  'what is open with a token ends with it, and goes on with the next',
  async () => {
    token = await mintPageToken({ secret, user: 'ada', seconds: 8 })
    const socket = await openSocket(dial({}))
    const [stream, heard] = await Promise.all([
      ask(`${paths.events}?windows=${window.windowUuid}`).then((response) => response.text()),
      socket.closed,
    ])
    expect(heard).toEqual({ code: 1001, reason: 'closing' })
    const [, cursor = ''] = stream.match(/^id: (\S+)$/m) ?? []
    await window.call('window', 'set_title', { title: 'meanwhile' })
    token = await mintPageToken({ secret, user: 'ada' })
    const next = await ask(`${paths.events}?windows=${window.windowUuid}&after=${cursor}`)
    const reader = next.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('meanwhile')) text += (await reader?.read())?.value ?? expect.fail(text)
    await reader?.cancel()
  },
)

verifies.each('sign_in.page')<[string, Partial<UpgradeHead>, bearer: string | undefined, status: number]>([
  ['from a page that is not listed', { origin: 'https://evil.example' }, undefined, 403],
  ['without an Origin', { origin: null }, undefined, 403],
  ['with a wrong token', {}, 'a.b.c', 401],
  ['with the token alone', { protocol: [`${BEARER_PROTOCOL}a.b.c`] }, undefined, 401],
])('refuses a socket %s', async (_name, over, bearer, status) => {
  expect((await refusedUpgrade(dial(over, bearer))).status).toBe(status)
})

it('looks at no token of an address that showed wrong ones again and again, and lets its page read that', async () => {
  const statuses: number[] = []
  for (let at = 0; at <= BURST; at += 1)
    statuses.push((await ask('/api/v1/svc-apps/windows', {}, 'a.b.c')).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
  const good = await ask('/api/v1/svc-apps/windows')
  expect([good.status, good.headers.get('access-control-allow-origin')]).toEqual([429, PAGE])
  expect(good.headers.get('access-control-expose-headers')).toBe('retry-after')
  expect(Number(good.headers.get('retry-after'))).toBeGreaterThan(0)
})
