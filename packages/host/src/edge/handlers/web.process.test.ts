import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits, type RpcResponse } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { afterEach, describe, expect } from 'vitest'
import type { WebResult, WebSearch } from '../../models/web/search.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const manifest = { host_api: { web: ['*'] } }
const grants = { web_grant: true }

async function open(options: TestHostOptions = {}): Promise<{ services: TestHost; window: TestWindow }> {
  const services = await openTestHost({ manifest, grants, ...options })
  closers.push(() => services.close())
  return { services, window: await services.openWindow() }
}

/** What a call answers, or its code and sentence. */
const said = (answer: RpcResponse) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every shape.
  answer.ok ? (answer.result as any) : `${answer.error.code}: ${answer.error.message}`

verifies.each(['web.offered', 'access.web_grant'])([
  ['declared and granted', manifest, grants, 'invalid_arg', undefined],
  ['declared by name', { host_api: { web: ['fetch'] } }, grants, 'invalid_arg', undefined],
  [
    'declared for the other method',
    { host_api: { web: ['search'] } },
    grants,
    'permission_denied',
    'manifest',
  ],
  ['declared and not granted', manifest, {}, 'permission_denied', 'grant'],
  ['declared with another grant', manifest, { upload_grant: true }, 'permission_denied', 'grant'],
  ['granted and not declared', {}, grants, 'permission_denied', 'manifest'],
] as const)('web.fetch %s is %4$s', async (_name, declared, granted, code, deniedBy) => {
  const { window } = await open({
    manifest: declared as NonNullable<TestHostOptions['manifest']>,
    grants: granted,
  })
  const answer = await window.call('web', 'fetch', { url: 'https://127.0.0.1/' })
  if (answer.ok) throw new Error('a private address was fetched')
  expect([answer.error.code, answer.error.details?.denied_by]).toEqual([code, deniedBy])
})

verifies(
  ['access.draft.reprojected', 'access.grants.install_only'],
  'a push lets an open window of a draft fetch at once, and takes it away again; the grant stays',
  async () => {
    const { services, window } = await open({ manifest: {} })
    const fetched = async () => said(await window.call('web', 'fetch', { url: 'x' })).split(':')[0]
    expect(await fetched()).toBe('permission_denied')
    await services.pushDraft({ host_api: { web: ['fetch'] } })
    expect(await fetched()).toBe('invalid_arg')
    await services.pushDraft({ host_api: { web: ['search'] } })
    expect(await fetched()).toBe('permission_denied')
  },
)

describe('web.fetch', () => {
  /** A window that may fetch from a server of this machine, and the server's address. */
  async function serving(serve: RequestListener, options: TestHostOptions = {}) {
    const server = createServer(serve)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    closers.push(async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    })
    const { port } = server.address() as AddressInfo
    const { window } = await open({ allowLoopback: [`page.test:${port}`], ...options })
    const url = `http://page.test:${port}/a?b=1`
    return { url, fetch: async (args: unknown = { url }) => said(await window.call('web', 'fetch', args)) }
  }
  const answering =
    (type: string | undefined, body: string | Buffer): RequestListener =>
    (_req, res) =>
      void res.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body)

  verifies.each('web.fetch')([
    ['text/html; charset=utf-8', '<p>ü\u0000</p>', 'text'],
    ['application/JSON', '{"a":1}', 'text'],
    ['text/plain', '', 'text'],
    ['text/plain', Buffer.from('b\u00e4', 'latin1'), 'bytes_b64'],
    ['image/png', Buffer.from([0x89, 0, 0xff]), 'bytes_b64'],
    ['application/octet-stream', 'plain', 'bytes_b64'],
    [undefined, 'plain', 'bytes_b64'],
  ] as const)('of %s %j is %s', async (type, body, form) => {
    const { url, fetch } = await serving(answering(type, body))
    const bytes = Buffer.from(body)
    expect(await fetch()).toEqual({
      url,
      mime: (type ?? '').split(';')[0]?.toLowerCase(),
      size_bytes: bytes.length,
      [form]: bytes.toString(form === 'text' ? 'utf8' : 'base64'),
    })
  })

  verifies('web.fetch', 'sends a GET without anything of the user', async () => {
    const seen: unknown[] = []
    const { fetch } = await serving(({ method, url, headers }, res) => {
      seen.push([method, url, headers.cookie, headers.authorization, headers.origin, headers.referer])
      res.end()
    })
    await fetch()
    expect(seen).toEqual([['GET', '/a?b=1', undefined, undefined, undefined, undefined]])
  })

  verifies('web.fetch.refused', 'takes exactly the cap, and no byte more', async () => {
    const capped = { limits: { WEB_FETCH_MAX_BYTES: 10 } }
    const exact = await serving(answering('text/plain', 'x'.repeat(10)), capped)
    expect(await exact.fetch()).toMatchObject({ text: 'x'.repeat(10) })
    const over = await serving(answering('text/plain', 'x'.repeat(11)), capped)
    expect(await over.fetch()).toBe('invalid_arg: url cannot be fetched: it has more than 10 bytes')
  })

  verifies.each('web.fetch.refused')([
    ['no url', {}, 'url must be a string'],
    ['another method', { url: 'https://cdn.site.org/', method: 'POST' }, 'method must be one of "GET"'],
    ['a url over its cap', { url: `https://cdn.site.org/${'x'.repeat(2_048)}` }, 'at most 2048 characters'],
    ['plain http elsewhere', { url: 'http://cdn.site.org/' }, 'https://'],
    ['this machine by another name', { url: 'https://localhost/' }, 'public'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'public'],
    ['a name and a password', { url: 'https://ada:pw@cdn.site.org/' }, 'url must'],
    ['a file', { url: 'file:///etc/passwd' }, 'https://'],
  ])('refuses %s', async (_name, args, sentence) => {
    const { window } = await open()
    const answer = said(await window.call('web', 'fetch', args))
    expect(answer).toContain('invalid_arg: ')
    expect(answer).toContain(sentence)
  })

  verifies(
    'web.fetch.refused',
    'refuses what is not a 200, and a redirect to a private address',
    async () => {
      const lost = await serving((_req, res) => void res.writeHead(404).end())
      expect(await lost.fetch()).toContain('its host answered 404')
      const led = await serving(
        (_req, res) => void res.writeHead(302, { location: 'https://10.0.0.1/' }).end(),
      )
      expect(await led.fetch()).toContain('invalid_arg: the redirect of url must')
    },
  )
})

describe('web.search', () => {
  const link = (at: number): WebResult => ({ title: `T${at}`, url: `https://site.org/${at}` })
  const searching = async (webSearch: WebSearch, options: TestHostOptions = {}) => {
    const { window } = await open({ webSearch, ...options })
    return async (args: unknown) => said(await window.call('web', 'search', args))
  }
  const methodsOf = async (window: TestWindow): Promise<string[]> =>
    said(await window.call('window', 'hello')).capabilities.methods

  verifies('web.search', 'is not_implemented on a host without one, and hello says so', async () => {
    const { window } = await open()
    expect(said(await window.call('web', 'search', { query: 'x' }))).toMatch(/^not_implemented: /)
    expect(await methodsOf(window)).toContain('web.fetch')
    expect(await methodsOf(window)).not.toContain('web.search')
    const configured = await open({ webSearch: () => [] })
    expect(await methodsOf(configured.window)).toContain('web.search')
  })

  verifies('web.search.results', 'gives the query and the limit on, and keeps to the limit', async () => {
    const asked: unknown[] = []
    const search = await searching((query, { limit }) => {
      asked.push([query, limit])
      return Array.from({ length: 30 }, (_, at) => link(at))
    })
    expect((await search({ query: 'a b', limit: 2 })).results).toEqual([
      { title: 'T0', url: 'https://site.org/0', snippet: '' },
      { title: 'T1', url: 'https://site.org/1', snippet: '' },
    ])
    expect((await search({ query: 'c' })).results).toHaveLength(10)
    expect(asked).toEqual([
      ['a b', 2],
      ['c', 10],
    ])
  })

  verifies('web.search.results', 'leaves out what is not a link, and what nobody declared', async () => {
    const search = await searching(async () => [
      { ...link(1), url: 'javascript:alert(1)' },
      { ...link(2), url: 'not a url' },
      { ...link(3), url: `https://site.org/${'x'.repeat(2_048)}` },
      {
        title: 't'.repeat(5_000),
        url: 'http://site.org/',
        snippet: 's'.repeat(5_000),
        score: 1,
      } as WebResult,
    ])
    expect((await search({ query: 'q' })).results).toEqual([
      { title: 't'.repeat(4_000), url: 'http://site.org/', snippet: 's'.repeat(4_000) },
    ])
  })

  verifies.each('web.search.results')([
    [{}, 'invalid_arg'],
    [{ query: ' ' }, 'invalid_arg'],
    [{ query: 'x'.repeat(401) }, 'invalid_arg'],
    [{ query: 'x'.repeat(400), limit: 20 }, 'ok'],
    [{ query: 'x', limit: 0 }, 'invalid_arg'],
    [{ query: 'x', limit: 21 }, 'invalid_arg'],
    [{ query: 'x', limit: 1.5 }, 'invalid_arg'],
  ])('with %j is %s', async (args, expected) => {
    const search = await searching(() => [])
    const answer = await search(args)
    expect(typeof answer === 'string' ? answer.split(':')[0] : 'ok').toBe(expected)
  })

  verifies.each('web.search.settles')([
    ['throws', () => Promise.reject(new Error('the key sk-1 is wrong'))],
    ['throws at once', () => JSON.parse('{')],
    ['answers no list', () => ({}) as never],
    ['answers results without a link', () => [{ title: 'x' }] as never],
  ])('that %s is internal_error, without its words', async (_name, webSearch) => {
    const search = await searching(webSearch as WebSearch)
    const answer = await search({ query: 'x' })
    expect(answer).toMatch(/^internal_error: /)
    expect(answer).not.toContain('sk-1')
  })

  verifies('web.search.settles', 'that does not end is given up after its time, and told', async () => {
    const clock = frozenClock()
    let signal: AbortSignal | undefined
    const search = await searching(
      (_query, options) => {
        signal = options.signal
        return new Promise<never>(() => {})
      },
      { clock },
    )
    const answer = search({ query: 'x' })
    await expect.poll(() => signal).toBeDefined()
    await clock.advance(limits.WEB_SEARCH_MS - 1)
    expect(signal?.aborted).toBe(false)
    await clock.advance(1)
    expect(await answer).toBe('internal_error: the search of this host took more than 15000 ms')
    expect(signal?.aborted).toBe(true)
  })
})

verifies.each('web.quota')([
  ['searches of a user', 'search', { query: 'x' }, { searches_per_day: 2 }, 'searches_per_day is 2'],
  [
    'pages of a user',
    'fetch',
    { url: 'http://page.test:9/' },
    { fetches_per_day: 2 },
    'fetches_per_day is 2',
  ],
  [
    'searches of an app',
    'search',
    { query: 'x' },
    { web_calls_per_app_per_day: 2 },
    'web_calls_per_app_per_day is 2',
  ],
] as const)('%s have a quota of the day', async (_name, method, args, quotas, sentence) => {
  const clock = frozenClock()
  const { window } = await open({ clock, quotas, webSearch: () => [], allowLoopback: ['page.test:9'] })
  const call = async () => said(await window.call('web', method, args))
  // A URL that is refused costs nothing.
  for (let at = 0; at < 3; at += 1) await window.call('web', 'fetch', { url: 'https://10.0.0.1/' })
  for (let at = 0; at < 2; at += 1) expect(JSON.stringify(await call())).not.toContain('quota_exceeded')
  expect(await call()).toContain(`quota_exceeded: ${sentence}`)
})
