import { listening, type RawHttp, statuses } from '@svc/conformance/raw-http'
import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { HostOptions } from '@svc/host'
import { expect, onTestFinished } from 'vitest'
import { openSocket } from '../../testing/socket.ts'

const MiB = 1_048_576

async function open(limits: NonNullable<HostOptions['limits']>, options: HostOptions = {}) {
  const services = await openTestHost({ limits, ...options })
  onTestFinished(() => services.close())
  const window = await services.openWindow()
  const at = await listening(services, window)
  const port = Number(at.head().match(/127\.0\.0\.1:(\d+)/)?.[1])
  return { services, window, at, port }
}

const answered = async (raw: RawHttp) => statuses(await raw.until(/\}$/))[0]

verifies(
  'load.bodies',
  'of 60 half-sent bodies only those are read that fit, and others are served',
  async () => {
    const { at } = await open({ BODIES_BYTES_PER_OWNER: 4 * MiB })
    const half = at.head({ 'content-length': String(MiB) }) + '['.padEnd(1_000)
    const sent = Array.from({ length: 60 }, () => {
      const raw = at.open()
      onTestFinished(() => raw.end())
      raw.write(half)
      return raw
    })
    // Which four come first is nobody's promise.
    const isAnswered = ({ said }: RawHttp) => said.endsWith('}')
    await expect.poll(() => sent.filter(isAnswered).length).toBe(56)
    const refused = sent.filter(isAnswered).map(({ said }) => said)
    expect(refused.map((said) => statuses(said)[0])).toEqual(Array(56).fill(429))
    expect(refused[0]).toMatch(/^retry-after: 1\r$/im)
    expect(sent.filter((raw) => !isAnswered(raw)).map(({ said }) => said)).toEqual(['', '', '', ''])
    const other = at.open()
    other.write(at.head() + at.call)
    expect(await answered(other)).toBe(200)
    other.end()
  },
)

verifies('load.bodies', 'a body of no announced length is counted as it comes', async () => {
  const { at } = await open({ BODIES_BYTES_PER_OWNER: 100_000, BODY_SMALL_BYTES: 1_000 })
  const [first, second] = [at.open(), at.open()]
  first.write(`${at.head({ 'content-length': '90000' })}[`)
  second.write(
    `${at.head({ 'content-length': null, 'transfer-encoding': 'chunked' })}4e20\r\n${' '.repeat(20_000)}\r\n`,
  )
  // Together they are too much, whichever the host reads first; the other waits for the rest of its body.
  expect(await Promise.race([first, second].map(answered))).toBe(429)
  expect([first.said, second.said]).toContain('')
  for (const raw of [first, second]) raw.end()
})

verifies('load.bodies.frames', 'half-sent frames of call sockets count too', async () => {
  const { at, window, port } = await open({ BODIES_BYTES_PER_OWNER: 2 * MiB })
  const half = at.open()
  half.write(`${at.head({ 'content-length': String(MiB) })}[`)
  const socket = await openSocket({ port, cookie: window.cookie })
  socket.post(' '.repeat(2 * MiB), window.token)
  expect(await socket.closed).toMatchObject({ code: 1013 })
  half.end()
})

verifies.each('load.bodies.frames')([
  ['short', 50_000],
  ['long enough to be parsed apart', 150_000],
])('a frame that was read counts no more, be it %s', async (_name, bytes) => {
  const { window, port } = await open({ BODIES_BYTES_PER_OWNER: bytes + 10_000, BODY_SMALL_BYTES: 1_000 })
  const [one, other] = [
    await openSocket({ port, cookie: window.cookie }),
    await openSocket({ port, cookie: window.cookie }),
  ]
  const { windowUuid: window_uuid, token } = window
  const body = JSON.stringify({ id: '1', window_uuid, ns: 'window', method: 'heartbeat', args: {} }).padEnd(
    bytes,
  )
  // Each in its turn, so that no two are read at once.
  for (const socket of [one, other, one, other])
    expect(await socket.ask(body, token)).toMatchObject([{ status: 200 }])
  for (const { ws } of [one, other]) ws.close()
})

verifies('load.streams', 'the streams of a user are bounded', async () => {
  const { services, window } = await open({ EVENT_STREAMS_PER_USER: 2 })
  const ask = (cookie: string) => services.request('/api/v1/svc-apps/runtime/events', { cookie })
  const streams = [await ask(window.cookie), await ask(window.cookie)]
  const refused = await ask(window.cookie)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await refused.json()).toMatchObject({
    error: { code: 'rate_limited', message: 'a user may have 2 event streams open' },
  })
  const bob = await ask(await services.signIn('bob'))
  await streams[0]?.body?.cancel()
  const next = await ask(window.cookie)
  expect([bob.status, next.status]).toEqual([200, 200])
  for (const one of [streams[1], bob, next]) await one?.body?.cancel()
})

verifies.each('load.connections')([
  [{}, true],
  [{ trustedProxies: ['127.0.0.0/8'] }, false],
])('with %j the connections of an address are bounded: %s', async (options, bounded) => {
  const { at } = await open({ CONNECTIONS_PER_ADDRESS: 2 }, options)
  const first = [at.open(), at.open()]
  for (const raw of first) {
    raw.write(at.head() + at.call)
    expect(await answered(raw)).toBe(200)
  }
  const third = at.open()
  third.write(at.head() + at.call)
  expect((await third.until(/\}$/)) === '').toBe(bounded)
  for (const raw of [...first, third]) raw.end()
})
