import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { refusal } from '../apps/test-house.ts'
import { type FetchBed, type FetchBedOptions, openFetchBed, PUBLIC, type Serve } from './fetch-for-tests.ts'
import type { Resolve } from './resolve.ts'

/** A request on loopback arrives at once; a busy machine may be late. */
const ARRIVES_MS = 5_000

const corpus: { dns_answers_reject: string[]; dns_answers_accept: string[]; response_reject: string[] } =
  JSON.parse(readFileSync(new URL('../../../conformance/corpora/ssrf.json', import.meta.url), 'utf8'))

const beds: FetchBed[] = []
afterEach(async () => {
  await Promise.all(beds.splice(0).map((bed) => bed.close()))
})
async function open(serve: Serve, options?: FetchBedOptions): Promise<FetchBed> {
  const bed = await openFetchBed(serve, options)
  beds.push(bed)
  return bed
}

const hello: Serve = (_req, res) => res.setHeader('content-type', 'Image/PNG; x=1').end('hello')
const URL_ = 'https://cdn.site.org/a.png?b=1#c'
const PRIVATE = 'invalid_arg: url must name a public host: cdn.site.org has an address that is not public'

it('fetches bytes and their type', async () => {
  const bed = await open(hello)
  const fetched = await bed.fetch.get(bed.fetch.judge(URL_), {
    maxBytes: 5,
    signal: new AbortController().signal,
  })
  expect(fetched).toEqual({ bytes: Buffer.from('hello'), type: 'image/png' })
  expect(bed.requests.map(({ url, method }) => [method, url])).toEqual([['GET', '/a.png?b=1']])
  expect(bed.clock.timers).toBe(0)
})

describe('what a name answers', () => {
  verifies.each(['decision.urls.answers', 'run.attachments.private'])([
    ...corpus.dns_answers_reject.map((address) => [[address]]),
    ...corpus.dns_answers_reject.map((address) => [[PUBLIC, address]]),
    ...corpus.dns_answers_reject.map((address) => [[address, '2606:4700::1111']]),
    [['fe80::1%eth0']],
    [['not an address']],
    [['']],
  ])('%j is refused, and no socket is opened', async (answers) => {
    const bed = await open(hello, { resolve: async () => answers })
    expect(await refusal(bed.text(URL_))).toBe(PRIVATE)
    expect(bed.dialed).toEqual([])
  })

  verifies('decision.urls.checked', 'the product itself opens no socket of the process to them', async () => {
    const sockets: unknown[] = []
    const see = (message: unknown) => void sockets.push(message)
    subscribe('net.client.socket', see)
    for (const address of corpus.dns_answers_reject) {
      const bed = await open(hello, { ownDial: true, resolve: async () => [PUBLIC, address] })
      expect(await refusal(bed.text(URL_))).toBe(PRIVATE)
    }
    expect(sockets).toEqual([])
    // What sees nothing above does see a socket.
    const bed = await open(hello, { ownDial: true, allow: (port) => [`img.test:${port}`] })
    expect(await bed.text(`https://img.test:${bed.port}/`)).toBe('hello')
    unsubscribe('net.client.socket', see)
    expect(sockets.length).toBe(1)
  })

  it.each(corpus.dns_answers_accept.map((address) => [address]))('%s is dialed', async (address) => {
    const bed = await open(hello, { resolve: async () => [address] })
    expect(await bed.text(URL_)).toBe('hello')
    expect(bed.dialed.map(({ addresses, name, port }) => [addresses, name, port])).toEqual([
      [[address], 'cdn.site.org', 443],
    ])
  })

  it.each<[string, Resolve, string]>([
    ['nothing', async () => [], 'invalid_arg: url cannot be fetched: cdn.site.org has no address'],
    [
      'an error with an address in it',
      async () => Promise.reject(new Error('queryA ETIMEOUT 10.0.0.2')),
      'invalid_arg: url cannot be fetched: the connection failed',
    ],
  ])('%s', async (_name, resolve, sentence) => {
    const bed = await open(hello, { resolve })
    expect(await refusal(bed.text(URL_))).toBe(sentence)
    expect(bed.dialed).toEqual([])
  })

  verifies(
    'decision.urls.checked',
    'a name that answers otherwise the second time is asked once',
    async () => {
      const answers = [[PUBLIC], ['127.0.0.1'], ['10.0.0.1']]
      const bed = await open(hello, { resolve: async () => answers.shift() ?? [] })
      expect(await bed.text(URL_)).toBe('hello')
      expect([bed.asked, bed.dialed.map(({ addresses }) => addresses)]).toEqual([
        ['cdn.site.org'],
        [[PUBLIC]],
      ])
    },
  )

  verifies(
    'decision.urls.checked',
    'a redirect to the same name looks it up and judges it again',
    async () => {
      const answers = [[PUBLIC], ['127.0.0.1']]
      const bed = await open((_req, res) => res.writeHead(302, { location: '/again' }).end(), {
        resolve: async () => answers.shift() ?? [],
      })
      expect(await refusal(bed.text(URL_))).toMatch(
        /^invalid_arg: the redirect of url must name a public host/,
      )
      expect(bed.dialed.length).toBe(1)
    },
  )

  it('an address as the host is looked up nowhere', async () => {
    const bed = await open(hello)
    expect(await bed.text(`https://${PUBLIC}/`)).toBe('hello')
    expect([bed.asked, bed.dialed.map(({ addresses }) => addresses)]).toEqual([[], [[PUBLIC]]])
  })
})

verifies('decision.urls.checked', 'a URL that nobody judged is judged by get', async () => {
  const bed = await open(hello)
  const options = { maxBytes: 9, signal: new AbortController().signal }
  for (const url of [
    'http://cdn.site.org/',
    'https://127.0.0.1/',
    'https://localhost/',
    'file:///etc/passwd',
  ])
    expect(await refusal(bed.fetch.get(new URL(url), options))).toMatch(/^invalid_arg: url must/)
  expect([bed.asked, bed.dialed]).toEqual([[], []])
})

describe('redirects', () => {
  const to =
    (location: string, status = 302): Serve =>
    (req, res) =>
      req.url === '/r' ? res.writeHead(status, { location }).end('moved') : hello(req, res)

  verifies.each('decision.urls.redirects')([
    ['http://127.0.0.1/', 'must begin with https://'],
    ['http://other.site.org/', 'must begin with https://'],
    ['https://[::ffff:7f00:1]/', 'must name a public host'],
    ['//localhost/', 'must name a public host'],
    ['//127.1', 'must name a public host'],
    ['https://169.254.169.254/latest/meta-data/', 'must name a public host'],
    ['https://other.site.org:8443/', 'must use port 443'],
    ['https://u:p@other.site.org/', 'must not name a user'],
    ['https://@other.site.org/', 'must not name a user'],
    ['//u:p@other.site.org/', 'must not name a user'],
    ['\\\\other.site.org/', 'must not hold'],
    ['/a b', 'must not hold'],
    ['https:///other.site.org/', 'must name a host'],
    ['data:image/png;base64,AAAA', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['https://[', 'is no URL'],
    [`/${'a'.repeat(3_000)}`, 'must have at most'],
  ])('to %s: %s', async (location, sentence) => {
    const bed = await open(to(location))
    expect(await refusal(bed.text('https://cdn.site.org/r'))).toContain(
      `invalid_arg: the redirect of url ${sentence}`,
    )
    expect(bed.dialed.length).toBe(1)
  })

  it.each([301, 302, 303, 307, 308])('%i is followed, relative or not', async (status) => {
    for (const location of [
      '/a',
      'a',
      '//other.site.org/a',
      'https://other.site.org/a',
      'https://other.site.org:443/a',
    ]) {
      const bed = await open(to(location, status))
      expect(await bed.text('https://cdn.site.org/r')).toBe('hello')
      expect(bed.requests.at(-1)?.method).toBe('GET')
    }
  })

  it.each([300, 304, 305, 306, 200])('%i with a Location is not', async (status) => {
    const bed = await open((_req, res) =>
      res.writeHead(status, { location: 'https://127.0.0.1/' }).end('here'),
    )
    if (status === 200) expect(await bed.text(URL_)).toBe('here')
    else expect(await refusal(bed.text(URL_))).toContain(`answered ${status}`)
    expect(bed.requests.length).toBe(1)
  })

  verifies('decision.urls.redirects', 'three are followed, a fourth is not', async () => {
    const bed = await open((req, res) => {
      const left = Number(req.url?.slice(1))
      if (left > 0) res.writeHead(302, { location: `/${left - 1}` }).end()
      else res.end('there')
    })
    expect(await bed.text('https://cdn.site.org/3')).toBe('there')
    expect(await refusal(bed.text('https://cdn.site.org/4'))).toBe(
      'invalid_arg: the redirect of url leads on: at most 3 redirects are followed',
    )
    expect(bed.requests.length).toBe(8)
  })

  it('a redirect without a Location is an answer that is not 200', async () => {
    const bed = await open((_req, res) => res.writeHead(302).end())
    expect(await refusal(bed.text(URL_))).toContain('answered 302')
  })

  it('a Refresh header is refused', async () => {
    const bed = await open((_req, res) => res.setHeader('refresh', '0;url=https://127.0.0.1').end('x'))
    expect(await refusal(bed.text(URL_))).toContain('by a Refresh header')
  })
})

describe('bounds', () => {
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
    ['no HTTP', (_req, res) => res.socket?.end('SSH-2.0-x\r\n\r\n'), /its answer is no HTTP$/],
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
})

describe('what is sent', () => {
  afterEach(() => vi.unstubAllEnvs())

  verifies(
    'decision.urls.bare',
    'no cookie, no credentials, no wish for compression; the name as its host',
    async () => {
      const bed = await open((req, res) => {
        if (req.url === '/')
          res
            .writeHead(302, { location: 'https://other.site.org/b', 'set-cookie': 'a=b; Domain=site.org' })
            .end()
        else res.end('x')
      })
      await bed.text('https://cdn.site.org/')
      expect(bed.requests.map(({ headers }) => [headers.host, headers['accept-encoding']])).toEqual([
        ['cdn.site.org', 'identity'],
        ['other.site.org', 'identity'],
      ])
      for (const { headers } of bed.requests)
        expect(
          Object.keys(headers).filter((name) => /cookie|auth|referer|origin|forwarded/.test(name)),
        ).toEqual([])
    },
  )

  verifies('decision.urls.bare', 'no proxy of the environment is asked', async () => {
    let asked = 0
    const proxy = createServer((socket) => {
      asked += 1
      socket.destroy()
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const { port } = proxy.address() as { port: number }
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])
      vi.stubEnv(name, `http://127.0.0.1:${port}`)
    const bed = await open(hello)
    expect([await bed.text(URL_), asked]).toEqual(['hello', 0])
    await new Promise((done) => proxy.close(done))
  })

  it.each<[string, string, FetchBedOptions]>([
    ['a certificate that nobody trusts', URL_, { distrust: true }],
    ['a certificate of another name', 'https://evil.site.org/', {}],
  ])('%s is refused, whatever the environment says', async (_name, url, options) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const bed = await open(hello, options)
    expect(await refusal(bed.text(url))).toBe(
      'invalid_arg: url cannot be fetched: the certificate of its host is not valid',
    )
    expect(bed.requests).toEqual([])
  })

  it('a server without TLS gets no request', async () => {
    const bed = await open(hello, { plain: true })
    expect(await refusal(bed.text(URL_))).toBe('invalid_arg: url cannot be fetched: its host speaks no TLS')
    expect(bed.requests).toEqual([])
  })
})
