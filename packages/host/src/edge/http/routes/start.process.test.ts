import { request } from 'node:http'
import { verifies } from '@svc/conformance/verifies'
import { START_PROOF_SCHEME, startProof } from '@svc/node'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createHost } from '../../../create-host.ts'
import type { HostOptions } from '../../../settings.ts'

const URL_OF_IT = 'http://127.0.0.1:8787'
const TOKEN = 'a'.repeat(43)
const LOGIN = '/api/v1/auth/dev-login'

function openHost(basePath = '', more: HostOptions = {}) {
  const page = (path: string) => (path === '/' ? { bytes: Buffer.from('<p>'), type: 'text/html' } : null)
  const host = createHost({
    harness: true,
    runner: null,
    startToken: TOKEN,
    basePath,
    page,
    logger: pino({ level: 'silent' }),
    ...more,
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
  ['a cookie with another', { cookie: `svc_start_8787=${'b'.repeat(43)}` }],
  ['an empty cookie', { cookie: 'svc_start_8787=' }],
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

verifies.each('wall.dev_login.here')([
  ['at a name of its own', { host: 'app.site.org', origin: 'https://app.site.org' }],
  ['behind a proxy that hides it', { host: '127.0.0.1:8787', origin: 'https://app.site.org' }],
])('who shows the token %s is signed in under no name', async (_, headers) => {
  const host = openHost('', { origins: ['https://app.site.org'] })
  const refused = await login(host, { authorization: `Bearer ${TOKEN}`, ...headers })
  expect(refused.status).toBe(403)
  const { error } = (await refused.json()) as { error: { message: string } }
  expect(error.message).toContain('for pages of this machine alone')
  expect((await login(host, { authorization: `Bearer ${TOKEN}` })).status).toBe(200)
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
      `svc_start_8787=${TOKEN}; Max-Age=2592000; HttpOnly; SameSite=Strict; Path=${basePath || '/'}`,
    )
    const cookie = set.split(';')[0] ?? ''
    expect((await login(host, { cookie, host: '127.0.0.1:8787', origin: URL_OF_IT })).status).toBe(200)
    expect((await open('', cookie)).status).toBe(200)
    expect((await open('?token=old', cookie)).status).toBe(303)
    expect((await open('?token=old')).status).toBe(403)
  },
)

const OTHER = 'http://127.0.0.1:8788'

/** A sign-in by proofs as the CLI does it: `change` is what goes wrong on the way. */
async function proven(
  listen: { readonly url: string; readonly port: number },
  change: {
    readonly token?: string
    readonly user?: string
    readonly host?: string
    readonly nonce?: string
  } = {},
) {
  const host = new URL(listen.url).host
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(listen.url + path, {
      method: 'POST',
      headers: { origin: listen.url, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const own = 'n'.repeat(22)
  const { nonce, proof } = (await (await post(`${LOGIN}/proof`, { nonce: own })).json()) as {
    nonce: string
    proof: string
  }
  const said = [own, change.nonce ?? nonce, change.host ?? host, change.user ?? 'ada']
  const shown = `${START_PROOF_SCHEME} ${own}.${change.nonce ?? nonce}.${startProof(change.token ?? TOKEN, 'client', said)}`
  const login = () => post(LOGIN, { user: 'ada' }, { authorization: shown })
  return { isHosts: proof === startProof(TOKEN, 'host', [own, nonce, host]), login }
}

verifies(
  'wall.dev_login.token',
  'both sides prove that they have the token, and a proof counts once',
  async () => {
    const listening = await openHost().listen(0)
    const { isHosts, login } = await proven(listening)
    expect(isHosts).toBe(true)
    expect((await login()).status).toBe(200)
    expect((await login()).status).toBe(403)
  },
)

verifies.each('wall.dev_login.token')([
  ['with another token', { token: 'b'.repeat(43) }],
  ['for another user', { user: 'eve' }],
  ['for a host at another port, to which somebody passes it on', { host: new URL(OTHER).host }],
  ['of a nonce that the host did not make', { nonce: `${Date.now()}-${'a'.repeat(43)}` }],
  ['of a nonce that is too old', { nonce: oldNonce() }],
])('a proof %s signs nobody in', async (_, change) => {
  const { login } = await proven(await openHost().listen(0), change)
  expect((await login()).status).toBe(403)
})

verifies('wall.dev_login.token', 'a host does not take what was passed on to its port', async () => {
  const { url, port } = await openHost().listen(0)
  const own = 'n'.repeat(22)
  const pass = (path: string, body: object, authorization = '') =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const headers = { host: '127.0.0.1:1', origin: 'http://127.0.0.1:1', authorization }
      const asked = request(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        port,
      })
      asked.on('error', reject).on('response', async (answer) => {
        resolve({ status: answer.statusCode, text: Buffer.concat(await answer.toArray()).toString() })
      })
      asked.end(JSON.stringify(body))
    })
  const { nonce } = JSON.parse((await pass(`${LOGIN}/proof`, { nonce: own })).text)
  const proof = startProof(TOKEN, 'client', [own, nonce, '127.0.0.1:1', 'ada'])
  const { status } = await pass(LOGIN, { user: 'ada' }, `${START_PROOF_SCHEME} ${own}.${nonce}.${proof}`)
  expect(status).toBe(403)
})

function oldNonce(): string {
  const at = Date.now() - 60_000
  return `${at}-${startProof(TOKEN, 'nonce', ['n'.repeat(22), String(at)])}`
}

test.each<[object, string]>([
  [{ signIn: 'dev', startToken: 'short' }, 'startToken must be 32 to 128'],
  [{ signIn: 'dev', startToken: `${'a'.repeat(40)};` }, 'startToken must be 32 to 128'],
  [{ startToken: TOKEN }, "startToken belongs to signIn: 'dev'"],
])('%j is refused', (options, sentence) => {
  expect(() => createHost({ runner: null, ...options })).toThrow(sentence)
})
