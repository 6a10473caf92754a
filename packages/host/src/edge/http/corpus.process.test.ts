import { readFileSync } from 'node:fs'
import { listening, type RawHttp, statuses } from '@svc/conformance/raw-http'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { errorRow, errors } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const HANG_MS = 1_000
const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [String(n), n]))
let services: TestHost
let window: TestWindow
let at: Awaited<ReturnType<typeof listening>>
/** One connection for all: whatever is sent, it goes on. */
let raw: RawHttp

beforeAll(async () => {
  services = await openTestHost({ manifest: { host_api: { storage: ['*'] } } })
  window = await services.openWindow()
  at = await listening(services, window)
  raw = at.open()
})
afterAll(async () => {
  raw.end()
  await services.close()
})

/** What this process computed since: other tests beside it do not count. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

/** Sends bytes as a body; returns the status and the lines that came for it. */
async function send(body: Buffer) {
  const before = raw.said.length
  const spent = process.cpuUsage()
  raw.write(at.head({ 'content-length': String(body.length) }))
  raw.write(body)
  // A right call behind it on the same connection marks the end of its answer.
  raw.write(at.head() + at.call)
  const mark = new RegExp(`^[^]{${before}}[^]*\\{"id":"raw","ok":true,"result":\\{\\}\\}$`)
  const said = (await raw.until(mark)).slice(before)
  expect(cpuMs(spent)).toBeLessThan(HANG_MS)
  expect(raw.closed).toBe(false)
  const [answer = '', ...more] = said.split(/(?=HTTP\/1\.1 \d{3} )/)
  expect(more).toHaveLength(1)
  const lines = answer.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  return { status: statuses(answer)[0] ?? 0, lines }
}

const corpus: { raw: string[] } = JSON.parse(
  readFileSync(new URL('../../../../conformance/corpora/envelopes.json', import.meta.url), 'utf8'),
)

describe('on one connection', () => {
  verifies.each(['envelope.failure', 'rpc.status'])(corpus.raw.map((body) => [body]))(
    'the body %j is answered in form and in time',
    async (body) => {
      const { status, lines } = await send(
        Buffer.from(body.replaceAll('"W"', JSON.stringify(window.windowUuid))),
      )
      expect(status).not.toBe(500)
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) {
        if (line.ok) continue
        expect(Object.keys(errors)).toContain(line.error.code)
        if (lines.length === 1 && status !== 200) expect(status).toBe(errorRow(line.error.code).status)
      }
    },
  )

  const text = () => at.call
  const around = (bytes: number[]) => {
    const [before = '', after = ''] = text().split('{}')
    return Buffer.concat([Buffer.from(`${before}{"x":"`), Buffer.from(bytes), Buffer.from(`"}${after}`)])
  }
  test.each([
    ['an invalid byte', () => around([0xff]), 400],
    ['an overlong NUL', () => around([0xc0, 0x80]), 400],
    ['a character cut off', () => around([0xf0, 0x9f, 0x98]), 400],
    ['a surrogate as bytes', () => around([0xed, 0xa0, 0x80]), 400],
    ['UTF-16LE', () => Buffer.from(text(), 'utf16le'), 400],
    ['UTF-16LE with its mark', () => Buffer.from(`\ufeff${text()}`, 'utf16le'), 400],
    ['a NUL behind the body', () => Buffer.from(`${text()}\0`), 400],
    ['two bodies', () => Buffer.from(text() + text()), 400],
    ['no body', () => Buffer.alloc(0), 400],
    ['white space alone', () => Buffer.from(' \n\t'), 400],
    ['100 000 keys', () => Buffer.from(text().replace('{}', JSON.stringify(keys))), 200],
    ['a million lists', () => Buffer.from(text().replace('{}', '['.repeat(1_000_000))), 400],
    ['a million objects', () => Buffer.from(text().replace('{}', '{"a":'.repeat(1_000_000))), 400],
    [
      'a number of a million digits',
      () => Buffer.from(text().replace('{}', `{"n":${'9'.repeat(1e6)}}`)),
      200,
    ],
  ])('a body of %s is answered in time', async (_name, body, status) => {
    expect((await send(body())).status).toBe(status)
  })
})
