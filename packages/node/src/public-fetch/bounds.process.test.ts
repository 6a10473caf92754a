import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type FetchBedOptions, fetchBeds, hello, type Serve } from '@svc/conformance/testing/fetch'
import { refusal } from '@svc/conformance/testing/refusal'
import { verifies } from '@svc/conformance/verifies'
import { expect, it, vi } from 'vitest'

/** A request on loopback arrives at once; a busy machine may be late. */
const ARRIVES_MS = 5_000
const corpus: { response_reject: string[] } = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/ssrf.json', import.meta.url), 'utf8'),
)
const open = fetchBeds()
const URL_ = 'https://cdn.site.org/a.png'

const endless: Serve = (_req, res) => {
  const more = () => {
    while (!res.destroyed && res.write('x'.repeat(10_000)));
  }
  res.on('drain', more)
  more()
}
verifies.each('decision.urls.bounds')<[string, Serve, RegExp]>([
  [
    'Content-Length: 99999999999',
    (_req, res) => res.writeHead(200, { 'content-length': 99_999_999_999 }).write('x'),
    /has more than 1000 bytes$/,
  ],
  [
    'a Content-Length of one byte more',
    (_req, res) => res.end('x'.repeat(1_001)),
    /has more than 1000 bytes$/,
  ],
  ['no Content-Length, endless body', endless, /has more than 1000 bytes$/],
  [
    'gzip bomb with Content-Encoding: gzip',
    (_req, res) => res.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(1_000_000))),
    /sent it compressed/,
  ],
  [
    'two encodings',
    (_req, res) => res.setHeader('content-encoding', 'identity, br').end('x'),
    /sent it compressed/,
  ],
  [
    'headers 64 KiB',
    (_req, res) => res.setHeader('x-long', 'x'.repeat(65_536)).end('x'),
    /headers of its answer are too long/,
  ],
  ['HTTP 206', (_req, res) => res.writeHead(206).end('x'), /answered 206/],
  ['HTTP 204', (_req, res) => res.writeHead(204).end(), /answered 204/],
  ['HTTP 401', (_req, res) => res.writeHead(401, { 'www-authenticate': 'Basic' }).end('x'), /answered 401/],
  ['HTTP 500', (_req, res) => res.writeHead(500).end('x'), /answered 500/],
  [
    'a body that breaks off',
    (_req, res) => {
      res.writeHead(200, { 'content-length': 100 })
      res.write('x', () => res.destroy())
    },
    /the connection broke off$/,
  ],
  ['no HTTP', (_req, res) => res.socket?.end('SSH-2.0-x\r\n\r\n'), /its answer is not HTTP$/],
  ['an end without an answer', (_req, res) => res.socket?.destroy(), /the connection broke off$/],
])('%s', async (_name, serve, sentence) => {
  const bed = await open(serve)
  const told = await refusal(bed.text(URL_))
  expect(told).toMatch(sentence)
  expect(told).toMatch(/^invalid_arg: url cannot be fetched: /)
  expect(told).not.toContain('127.0.0.1')
  expect(bed.clock.timers).toBe(0)
})

it('the corpus has the lines that stand above', () => {
  expect(corpus.response_reject).toEqual(
    expect.arrayContaining(['Content-Length: 99999999999', 'headers 64 KiB', 'HTTP 206/401/500']),
  )
})

verifies('decision.urls.bounds', 'neither does a caller pass the cap of the host', async () => {
  const bed = await open(hello, { limits: { PUBLIC_FETCH_MAX_BYTES: 4 } })
  expect(await refusal(bed.text(URL_, 1_000_000))).toContain('has more than 4 bytes')
})

verifies.each('decision.urls.bounds')<[string, Serve, FetchBedOptions]>([
  ['a server that says nothing', () => undefined, {}],
  ['headers without a body', (_req, res) => void res.writeHead(200).flushHeaders(), {}],
  ['a byte and then silence', (_req, res) => void res.write('x'), {}],
  [
    'a redirect to silence',
    (req, res) => void (req.url === '/b' || res.writeHead(302, { location: '/b' }).end()),
    {},
  ],
  [
    'a name server that says nothing',
    hello,
    {
      resolve: (_name, signal) =>
        new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
    },
  ],
])('15 s in all: %s', async (name, serve, options) => {
  const bed = await open(serve, options)
  const told = refusal(bed.text('https://cdn.site.org/a'))
  // The request stands at its server, or the name server was asked, before time moves on.
  await vi.waitUntil(
    () =>
      options.resolve
        ? bed.asked.length
        : bed.requests.at(-1)?.url === (name.includes('redirect') ? '/b' : '/a'),
    ARRIVES_MS,
  )
  await bed.clock.advance(14_999)
  expect(bed.clock.timers).toBe(1)
  await bed.clock.advance(1)
  expect(await told).toBe('invalid_arg: url cannot be fetched: it took more than 15000 ms')
  expect(bed.clock.timers).toBe(0)
})

it('a caller who gives up ends it with its reason, before and during', async () => {
  const bed = await open(() => undefined)
  const leave = new AbortController()
  const options = { maxBytes: 9, signal: leave.signal }
  const underWay = bed.fetch.get(bed.fetch.judge(URL_), options)
  await vi.waitUntil(() => bed.requests.length === 1, ARRIVES_MS)
  leave.abort(new Error('left'))
  await expect(underWay).rejects.toThrow('left')
  await expect(bed.fetch.get(bed.fetch.judge(URL_), options)).rejects.toThrow('left')
  expect([bed.requests.length, bed.clock.timers]).toEqual([1, 0])
})
