import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listening, openRawHttp, type RawHttp, statuses } from '@svc/conformance/raw-http'
import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import type { HostOptions } from '@svc/host'
import { systemClock } from '@svc/node'
import { expect, onTestFinished } from 'vitest'
import { openBodies } from '../../kernel/limiter/bodies.ts'
import { paths } from '../../kernel/request/paths.ts'
import { openSocket, refusedUpgrade } from '../../testing/socket.ts'
import type { Admission, Gateway } from '../rpc/gateway.ts'
import type { Fronts } from './fronts.ts'
import { nodeFront } from './node-front.ts'

/** A rate that never gives anything, so that who has to wait waits until the host closes. */
const NEVER = { BODIES_BYTES_PER_SECOND: 0, REFUSALS_PER_SECOND: 0 }
const WAIT = { BODIES_WAIT_MAX_MS: 60_000, REFUSALS_WAIT_MAX_MS: 60_000 }
const LARGE = 100_000

async function open(own: NonNullable<HostOptions['limits']>) {
  const services = await openTestHost({ user: 'eve', limits: { ...NEVER, ...WAIT, ...own } })
  onTestFinished(() => services.close())
  const { apps } = services.host
  const { version } = await apps.release('eve', services.appId, '1.0.0')
  await apps.install('ada', { app_id: services.appId, version, grants: {} })
  const eve = await services.openWindow()
  const ada = await services.openWindow(undefined, undefined, await services.signIn('ada'))
  return { services, eve, ada, at: await listening(services, eve), other: await listening(services, ada) }
}

const statusOf = async (raw: RawHttp) => statuses(await raw.until(/\}$/))[0]

type At = Awaited<ReturnType<typeof listening>>

function send(at: At, body: string, headers: Record<string, string | null> = {}): RawHttp {
  const raw = at.open()
  onTestFinished(() => raw.end())
  raw.write(
    at.head({ 'content-length': String(Buffer.byteLength(body)), connection: 'close', ...headers }) + body,
  )
  return raw
}

/** Takes the one place of its owner: a body that never comes whole. */
async function halfSent(at: At): Promise<RawHttp> {
  // Node says Continue before the host has read a token that it sees for the first time.
  expect(await statusOf(send(at, at.call))).toBe(200)
  const raw = at.open()
  onTestFinished(() => raw.end())
  raw.write(at.head({ 'content-length': '50', expect: '100-continue' }))
  await raw.until(/100 Continue/)
  return raw
}

const padded = (at: At) => at.call + ' '.repeat(LARGE)
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

verifies(
  'load.pace.bodies',
  'a large body waits for those before it, small ones and those of others do not',
  async () => {
    const { at, other, services } = await open({ BODIES_BYTES_BURST: LARGE })
    expect(await statusOf(send(at, padded(at)))).toBe(200)
    const late = send(at, padded(at))
    expect(await statusOf(send(at, at.call))).toBe(200)
    expect(await statusOf(send(other, padded(other)))).toBe(200)
    expect(late.said).toBe('')
    await services.close()
    expect(await statusOf(late)).toBe(200)
  },
)

verifies('load.pace.bodies', 'a body of no announced length counts as what came of it', async () => {
  const { at } = await open({ BODIES_BYTES_BURST: 1_000 })
  const head = { 'content-length': null, 'transfer-encoding': 'chunked' }
  const raw = at.open()
  onTestFinished(() => raw.end())
  raw.write(at.head(head) + chunked(padded(at)))
  expect(await statusOf(raw)).toBe(200)
  const late = at.open()
  onTestFinished(() => late.end())
  late.write(at.head(head) + chunked(at.call))
  expect(await statusOf(send(at, at.call))).toBe(200)
  expect(late.said).toBe('')
})

verifies('load.pace.bodies', 'who goes away while his body waits leaves its place', async () => {
  const { at } = await open({ BODIES_BYTES_BURST: LARGE, BODIES_PER_OWNER: 1 })
  expect(await statusOf(send(at, padded(at)))).toBe(200)
  const late = send(at, padded(at))
  await expect.poll(async () => statusOf(send(at, at.call))).toBe(429)
  late.end()
  await expect.poll(async () => statusOf(send(at, at.call))).toBe(200)
})

verifies('load.pace.bodies', 'a frame that was large has the next ones of its socket wait', async () => {
  const { at, eve, services } = await open({ BODIES_BYTES_BURST: LARGE })
  const port = Number(at.head().match(/127\.0\.0\.1:(\d+)/)?.[1])
  const socket = await openSocket({ port, cookie: eve.cookie })
  const large = () => socket.post(padded(at), eve.token)
  await Promise.all([large(), large()])
  const late = socket.post(at.call, eve.token)
  expect(await statusOf(send(at, at.call))).toBe(200)
  await services.close()
  await late
})

verifies(
  'load.pace.refusals',
  'who is refused again and again hears so late, others are served',
  async () => {
    const { at, services } = await open({ BODIES_PER_OWNER: 1, REFUSALS_BURST: 2 })
    const half = await halfSent(at)
    const refused = [1, 2, 3, 4].map(() => send(at, at.call))
    const answered = () => refused.filter(({ said }) => said.endsWith('}'))
    await expect.poll(() => answered().length).toBe(2)
    half.end()
    await expect.poll(async () => statusOf(send(at, at.call))).toBe(200)
    expect(answered()).toHaveLength(2)
    await services.close()
    expect(await Promise.all(refused.map(statusOf))).toEqual([429, 429, 429, 429])
  },
)

verifies('load.bodies', 'who goes away while he is judged leaves no place behind', async () => {
  const judged = Promise.withResolvers<Admission>()
  const bodies = openBodies(systemClock, limits)
  const gateway = { admit: () => judged.promise } as Partial<Gateway> as Gateway
  const server = createServer(nodeFront({ gateway, bodies, basePath: '' } as Partial<Fronts> as Fronts))
  onTestFinished(() => void server.close())
  const came = once(server, 'request')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const raw = openRawHttp((server.address() as AddressInfo).port)
  raw.write(`POST ${paths.rpc} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 50\r\n\r\n[`)
  const [req] = (await came) as [IncomingMessage]
  const left = new Promise((resolve) => req.socket.once('close', resolve))
  raw.end()
  await left
  judged.resolve({
    claims: { user_id: 'ada' },
    isLong: false,
    maxBytes: 100,
  } as Partial<Admission> as Admission)
  await nextTurn()
  expect(bodies.held).toEqual({ count: 0, bytes: 0, owners: 0 })
})

verifies(
  'load.bodies.frames',
  'where no place is left a call socket is refused before it is opened',
  async () => {
    const { at, eve } = await open({ BODIES_PER_OWNER: 1 })
    await halfSent(at)
    const port = Number(at.head().match(/127\.0\.0\.1:(\d+)/)?.[1])
    expect((await refusedUpgrade({ port, cookie: eve.cookie })).status).toBe(429)
  },
)
