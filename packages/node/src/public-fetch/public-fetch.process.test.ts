import { createServer } from 'node:net'
import { type FetchBedOptions, fetchBeds, hello } from '@svc/conformance/testing/fetch'
import { refusal } from '@svc/conformance/testing/refusal'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, describe, expect, it, vi } from 'vitest'

const open = fetchBeds()
const URL_ = 'https://cdn.site.org/a.png?b=1#c'

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
