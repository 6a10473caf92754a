import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import { openRawHttp, statuses } from '@svc/conformance/raw-http'
import { atPort, openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createHost } from '../../index.ts'
import { paths } from '../../kernel/request/paths.ts'
import { openSocket, refusedUpgrade, type UpgradeHead } from '../../testing/socket.ts'

let services: TestHost
let window: TestWindow
let port: number

beforeEach(async () => {
  services = await openTestHost({ upgrades: true, limits: { CALL_SOCKETS_PER_USER: 3, SHUTDOWN_MS: 60_000 } })
  window = await services.openWindow()
  port = (await services.host.listen(0)).port
})
afterEach(() => services.close())

const dial = (over: Partial<UpgradeHead> = {}) => ({ port, cookie: window.cookie, ...over })
const beat = ({ windowUuid }: TestWindow = window) =>
  JSON.stringify({ id: '1', window_uuid: windowUuid, ns: 'window', method: 'heartbeat', args: {} })

verifies.each(['wall.socket.upgrade'])([
  ['at another place', { path: '/api/v1/svc-apps/runtime/rpc' }, 404, 'not_found'],
  ['at its place with a query', { path: `${paths.calls}?x` }, 404, 'not_found'],
  ['of an unlisted Host', { host: 'evil.example' }, 403, 'permission_denied'],
  ['without an Origin', { origin: null }, 403, 'permission_denied'],
  ['of an opaque Origin, as a bundle has', { origin: 'null' }, 403, 'permission_denied'],
  ['of a foreign Origin', { origin: 'https://evil.example' }, 403, 'permission_denied'],
  ['of another port', { origin: 'http://127.0.0.1:1' }, 403, 'permission_denied'],
  ['without a sign-in', { cookie: '' }, 401, 'invalid_token'],
  ['with a sign-in that is none', { cookie: 'svc_signin_8787=x.y.z' }, 401, 'invalid_token'],
  ['without the subprotocol', { protocol: null }, 400, 'invalid_arg'],
  ['with another subprotocol', { protocol: 'svc.calls.2' }, 400, 'invalid_arg'],
] as [string, Partial<UpgradeHead>, number, string][])(
  'refuses an upgrade %s',
  async (_name, over, status, code) => {
    expect(await refusedUpgrade(dial(over))).toMatchObject({
      status,
      type: 'application/json; charset=utf-8',
      body: { error: { code, message: expect.any(String) } },
    })
  },
)

verifies.each('load.rate.refused')([
  ['an unlisted Host', { host: 'evil.example' }],
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['a sign-in of a blocked user', {}],
] as [string, Partial<UpgradeHead>][])('counts upgrades with %s by address', async (_, over) => {
  const limits = { RATE_REFUSED_PER_SECOND: 0, RATE_REFUSED_BURST: 2 }
  const strict = await openTestHost({ upgrades: true, limits })
  onTestFinished(() => strict.close())
  const cookie = await strict.signIn('ada')
  await strict.host.users.block('ada')
  const at = { port: (await strict.host.listen(0)).port, cookie, ...over }
  const said: number[] = []
  for (let n = 0; n < 3; n += 1) said.push((await refusedUpgrade(at)).status ?? 0)
  expect(said).toEqual([403, 403, 429])
})

it('ends the connection of a refused upgrade, also where its caller keeps its side open', async () => {
  const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume()
  caller.write(
    `GET ${paths.calls} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  )
  await once(caller, 'end')
  await services.close()
  caller.destroy()
})

verifies(
  ['wall.socket.caps'],
  'lets a user have so many sockets, another user as many, and one more when one has closed',
  async () => {
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(dial())))
    expect(await refusedUpgrade(dial())).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limited', message: 'a user may have 3 call sockets open' } },
    })
    const other = await openSocket(dial({ cookie: await services.signIn('bob') }))
    expect(other.ws.readyState).toBe(other.ws.OPEN)
    sockets[0]?.ws.close()
    await sockets[0]?.closed
    const next = await openSocket(dial())
    expect(await next.ask(beat(), window.token)).toMatchObject([{ status: 200 }])
  },
)

it('answers a client that offers HTTP/2 on the side as if it had not', async () => {
  const raw = openRawHttp(port)
  raw.write(
    `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n`,
  )
  expect(statuses(await raw.until(/\r\n\r\n/))).toEqual([200])
  raw.end()
})

verifies(['host.upgrade'], 'serves the calls of a server that embeds the host', async () => {
  const { host } = services
  const embedding = createServer(getRequestListener((request) => host.fetch(request)))
    .on('upgrade', host.upgrade)
    .listen(0, '127.0.0.1')
  onTestFinished(() => void embedding.close())
  await once(embedding, 'listening')
  const at = dial({ port: (embedding.address() as AddressInfo).port })
  const stream = await fetch(`http://127.0.0.1:${at.port}${paths.events}`, {
    headers: { cookie: atPort(at.cookie, at) },
  })
  const told = await stream.body?.getReader().read()
  expect(Buffer.from(told?.value ?? []).toString()).toContain('event: calls\ndata: {}\n\n')
  const socket = await openSocket(at)
  const [line] = await socket.ask(beat(), window.token)
  expect(line).toEqual({ n: '1', status: 200, text: '{"id":"1","ok":true,"result":{}}' })
  expect(await refusedUpgrade({ ...at, origin: 'null' })).toMatchObject({ status: 403 })
  // The host is closed before the server that embeds it, and says so.
  await host.close()
  expect(await socket.closed).toMatchObject({ code: 1001 })
  expect(await refusedUpgrade(at)).toMatchObject({
    status: 503,
    body: { error: { code: 'agent_unavailable' } },
  })
})

verifies.each(['host.upgrade.others'])([
  ['before', 'prependListener'],
  ['after', 'on'],
] as const)('leaves alone what a listener %s it upgrades', async (_, add) => {
  const { host } = services
  const server = createServer(getRequestListener((request) => host.fetch(request)))
    .on('upgrade', host.upgrade)
    .listen(0, '127.0.0.1')
  server[add]('upgrade', ({ url }: IncomingMessage, socket: Socket) => {
    if (url === '/hot-reload') socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nnews')
  })
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const at = dial({ port: (server.address() as AddressInfo).port })
  const foreign = connect(at.port, '127.0.0.1')
  foreign.write('GET /hot-reload HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  expect(await text(foreign)).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\nnews')
  const socket = await openSocket(at)
  expect(await socket.ask(beat(), window.token)).toMatchObject([{ status: 200 }])
  expect(await refusedUpgrade({ ...at, origin: 'null' })).toMatchObject({ status: 403 })
})

verifies('host.upgrade.others', 'closes what nobody takes of an upgrade, however it ends', async () => {
  const own = await openTestHost({ upgrades: true, limits: { HTTP_HEADERS_MS: 100 } })
  onTestFinished(() => own.close())
  const server = createServer().on('upgrade', own.host.upgrade).listen(0, '127.0.0.1')
  server.on('upgrade', () => {})
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port: at } = server.address() as AddressInfo
  const dialled = [0, 1].map(() => connect(at, '127.0.0.1').on('error', () => {}))
  for (const one of dialled)
    one.write('GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [reset, left] = dialled as [Socket, Socket]
  await once(server, 'upgrade')
  reset.resetAndDestroy()
  await once(left, 'close')
})

verifies(
  ['design.socket.close', 'host.close'],
  'opens no socket that was judged while the host began to close',
  async () => {
    const asked: (() => void)[] = []
    const host = createHost({
      runner: null,
      logger: pino({ level: 'silent' }),
      authenticate: () => new Promise((resolve) => asked.push(() => resolve({ id: 'ada' }))),
    })
    const refused = refusedUpgrade({ port: (await host.listen(0)).port })
    await expect.poll(() => asked.length).toBe(1)
    const closing = host.close()
    asked[0]?.()
    expect(await refused).toMatchObject({ status: 503 })
    await closing
  },
)
