import { verifies } from '@svc/conformance/verifies'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createHost } from '../../../create-host.ts'

const URL_OF_IT = 'http://127.0.0.1:8787'
const TOKEN = 'a'.repeat(43)
const LOGIN = '/api/v1/auth/dev-login'

function openHost(basePath = '') {
  const page = (path: string) => (path === '/' ? { bytes: Buffer.from('<p>'), type: 'text/html' } : null)
  const host = createHost({
    harness: true,
    runner: null,
    startToken: TOKEN,
    basePath,
    page,
    logger: pino({ level: 'silent' }),
  })
  onTestFinished(() => host.close())
  return host
}

/** A sign-in as any client of a server can ask for it that embeds the host by `fetch`. */
const login = (host: ReturnType<typeof openHost>, headers: Readonly<Record<string, string>> = {}) =>
  host.fetch(
    new Request(URL_OF_IT + LOGIN, {
      method: 'POST',
      headers: {
        host: 'localhost',
        origin: 'http://localhost',
        'content-type': 'application/json',
        ...headers,
      },
      body: '{"user":"ada"}',
    }),
  )

verifies.each('wall.dev_login.token')<[name: string, headers: Record<string, string>]>([
  ['nothing', {}],
  ['another token', { authorization: `Bearer ${'b'.repeat(43)}` }],
  ['the token without its scheme', { authorization: TOKEN }],
  ['a part of the token', { authorization: `Bearer ${TOKEN.slice(1)}` }],
  ['a cookie with another', { cookie: `svc_start=${'b'.repeat(43)}` }],
  ['an empty cookie', { cookie: 'svc_start=' }],
])('who shows %s is signed in under no name', async (_, headers) => {
  const refused = await login(openHost(), headers)
  expect(refused.status).toBe(403)
  expect(refused.headers.get('set-cookie')).toBeNull()
  const { error } = (await refused.json()) as { error: { details: object; message: string } }
  expect(error).toMatchObject({
    code: 'permission_denied',
    details: { denied_by: 'start_token', hint: expect.stringContaining('Open the URL that it printed') },
  })
})

verifies('wall.dev_login.token', 'a host of its own makes one that is never the same', async () => {
  const [one, other] = [1, 2].map(() =>
    createHost({ signIn: 'dev', runner: null, logger: pino({ level: 'silent' }) }),
  )
  onTestFinished(() => Promise.all([one?.close(), other?.close()]).then(() => undefined))
  expect(one?.startToken).toMatch(/^[\w-]{43}$/)
  expect(one?.startToken).not.toBe(other?.startToken)
  const { url, startUrl } = (await one?.listen(0)) ?? {}
  expect(startUrl).toBe(`${url}/?token=${one?.startToken}`)
})

verifies.each('wall.dev_login.token')([[''], ['/svc']])(
  'a page trades it for a cookie and has it no longer in its address (base path "%s")',
  async (basePath) => {
    const host = openHost(basePath)
    const open = (query: string, cookie = '') =>
      host.fetch(new Request(`${URL_OF_IT}${basePath}/${query}`, { headers: { cookie } }))
    const traded = await open(`?view=1&token=${TOKEN}`)
    expect([traded.status, traded.headers.get('location')]).toEqual([303, './?view=1'])
    const set = traded.headers.get('set-cookie') ?? ''
    expect(set).toBe(
      `svc_start=${TOKEN}; Max-Age=2592000; HttpOnly; SameSite=Strict; Path=${basePath || '/'}`,
    )
    const cookie = set.split(';')[0] ?? ''
    expect((await login(host, { cookie })).status).toBe(200)
    expect((await open('', cookie)).status).toBe(200)
    expect((await open('?token=old', cookie)).status).toBe(303)
    expect((await open('?token=old')).status).toBe(403)
  },
)

test.each<[object, string]>([
  [{ signIn: 'dev', startToken: 'short' }, 'startToken must be 32 to 128'],
  [{ signIn: 'dev', startToken: `${'a'.repeat(40)};` }, 'startToken must be 32 to 128'],
  [{ startToken: TOKEN }, "startToken belongs to signIn: 'dev'"],
])('%j is refused', (options, sentence) => {
  expect(() => createHost({ runner: null, ...options })).toThrow(sentence)
})
