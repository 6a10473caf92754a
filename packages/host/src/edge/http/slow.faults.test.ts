import { slackMs } from '@svc/conformance/processes'
import { listening, type RawHttp, statuses } from '@svc/conformance/raw-http'
import { openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Node looks for late requests once a second. */
const limits = { HTTP_HEADERS_MS: 500, HTTP_REQUEST_MS: 1_500 }
const LOOK_MS = 1_000
const CALLS = 20
let services: TestHost
let at: Awaited<ReturnType<typeof listening>>

beforeAll(async () => {
  services = await openTestHost({ limits })
  at = await listening(services, await services.openWindow())
})
afterAll(() => services.close())

/** Writes one character of a text after the other, each after a moment, until the other side had enough. */
async function trickle(raw: RawHttp, text: string): Promise<void> {
  const written = (async () => {
    for (const one of text) {
      if (raw.closed) return
      raw.write(one)
      await new Promise((done) => setTimeout(done, 50))
    }
  })()
  await raw.until(/never/)
  await written
}

/** Other connections are served meanwhile. */
async function othersGoOn() {
  const slack = await slackMs()
  for (let n = 0; n < CALLS; n++) {
    const raw = at.open()
    const started = performance.now()
    raw.write(at.head() + at.call)
    expect(statuses(await raw.until(/\}$/))).toEqual([200])
    expect(performance.now() - started).toBeLessThan(250 + slack)
    raw.end()
  }
}

describe('a caller that', () => {
  test.each([
    ['sends its head byte by byte', () => '', () => at.head(), limits.HTTP_HEADERS_MS],
    ['sends its body byte by byte', () => at.head(), () => at.call, limits.HTTP_REQUEST_MS],
    ['sends no byte at all', () => '', () => '', limits.HTTP_HEADERS_MS],
    ['stops in mid-head', () => at.head().slice(0, 60), () => '', limits.HTTP_HEADERS_MS],
    ['stops in mid-body', () => at.head() + at.call.slice(0, 20), () => '', limits.HTTP_REQUEST_MS],
    [
      'asks for 100-continue and says no more',
      () => at.head({ expect: '100-continue' }),
      () => '',
      limits.HTTP_REQUEST_MS,
    ],
  ])('%s is cut off in time', { concurrent: true }, async (_name, first, slowly, boundMs) => {
    const raw = at.open()
    const started = performance.now()
    raw.write(first())
    const cut = trickle(raw, slowly()).then(() => performance.now() - started)
    const [tookMs] = await Promise.all([cut, othersGoOn()])
    expect(raw.closed).toBe(true)
    expect(tookMs).toBeLessThan(boundMs + LOOK_MS + 500 + (await slackMs()))
    expect(statuses(raw.said).filter((status) => status !== 100)).toEqual([408])
  })

  test('reads no answer holds up nobody', async () => {
    const raw = at.open()
    raw.write((at.head() + at.call).repeat(50))
    raw.end()
    await othersGoOn()
  })
})
