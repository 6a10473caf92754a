import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { openTestHost, type TestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { BEARER_PROTOCOL } from '@svc/contract/wire'
import { frozenClock } from '@svc/node/testing'
import { type JWTPayload, SignJWT } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { headOnly, NodeHead } from '../../edge/http/node-head.ts'
import { mintPageToken } from '../tokens/page-tokens.ts'

const PAGE = 'https://app.site.org'
const SECRET = 'of the backend of the page, and of the host'
const key = Buffer.from(SECRET)
const WINDOWS = '/api/v1/svc-apps/windows'
const clock = frozenClock()
const now = clock.now() / 1_000
const good = { sub: 'ada', aud: 'svc', iat: now, exp: now + 300 }
const ed = generateKeyPairSync('ed25519')
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const pemOf = (one: KeyObject) =>
  one.export({ type: one.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }).toString()

const sign = (claims: JWTPayload, alg = 'HS256', by: Uint8Array | KeyObject = key) =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(by)
const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(good))}.`.replaceAll('=', '')

async function open(options: TestHostOptions = {}): Promise<TestHost> {
  const host = await openTestHost({ clock, origins: [PAGE], pageTokens: { secret: SECRET }, ...options })
  onTestFinished(() => host.close())
  return host
}

/** What a page of another site sends: its `Origin`, its token and no cookie. */
const sent = (token: string, origin: string | null = PAGE): RequestInit => {
  const headers = new Headers({ authorization: `Bearer ${token}` })
  if (origin !== null) headers.set('origin', origin)
  return { headers: Object.fromEntries(headers) }
}

/** Asks without the cookie and the `Origin` that a test host adds. */
const ask = ({ host, origin }: TestHost, path: string, init: RequestInit) =>
  host.fetch(new Request(origin + path, init))

verifies.each('sign_in.page')<
  [what: string, token: () => Promise<string> | string, status: number, origin?: string | null]
>([
  ['a good one', () => sign(good), 200],
  ['a good one without an Origin, as of a program', () => sign(good), 200, null],
  ['a good one from a page that is not listed', () => sign(good), 403, 'https://evil.example'],
  ['a good one from an opaque origin', () => sign(good), 403, 'null'],
  ['another signature', () => sign(good, 'HS256', Buffer.from('x'.repeat(32))), 401],
  ['another algorithm with the same secret', () => sign(good, 'HS512', Buffer.from(SECRET.repeat(3))), 401],
  ['one without an algorithm', () => none, 401],
  ['one that is over', () => sign({ ...good, iat: now - 300, exp: now - 10 }), 401],
  ['one of tomorrow', () => sign({ ...good, iat: now + 3_600, exp: now + 3_900 }), 401],
  ['one that lives too long', () => sign({ ...good, exp: now + 86_400 }), 401],
  ['one without an end', () => sign({ sub: 'ada', aud: 'svc', iat: now }), 401],
  ['one without a beginning', () => sign({ sub: 'ada', aud: 'svc', exp: now + 300 }), 401],
  ['one for others', () => sign({ ...good, aud: 'billing' }), 401],
  ['one for nobody', () => sign({ sub: 'ada', iat: now, exp: now + 300 }), 401],
  ['one of nobody', () => sign({ ...good, sub: '' }), 401],
  ['one of the operator', () => sign({ ...good, sub: 'operator' }), 401],
  ['one that is too long', () => sign({ ...good, more: 'x'.repeat(8_000) }), 401],
  ['no token at all', () => '', 401],
])('%s: the windows of ada', async (_what, token, status, origin = PAGE) => {
  const host = await open()
  const response = await ask(host, WINDOWS, sent(await token(), origin))
  expect(response.status).toBe(status)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin === PAGE ? PAGE : null)
})

it.each([
  ['EdDSA', ed],
  ['ES256', p256],
  ['RS256', rsa],
] as const)('takes the public key of a backend, and %s alone', async (alg, { publicKey, privateKey }) => {
  const host = await open({ pageTokens: { publicKey: pemOf(publicKey), audience: 'https://host.net' } })
  const claims = { ...good, aud: 'https://host.net' }
  const status = async (token: string) => (await ask(host, WINDOWS, sent(token))).status
  expect(await status(await sign(claims, alg, privateKey))).toBe(200)
  expect(await status(await sign(good, alg, privateKey))).toBe(401)
  expect(await status(await sign(claims, 'HS256', Buffer.from(pemOf(publicKey))))).toBe(401)
})

it('has a window used by its own user alone', async () => {
  const host = await open()
  const { token, windowUuid, post } = await host.openWindow()
  const call = JSON.stringify({ id: '1', window_uuid: windowUuid, ns: 'window', method: 'hello', args: {} })
  const by = async (sub: string) => {
    const authorization = `Bearer ${await sign({ ...good, sub })}`
    return await post(call, { cookie: null, origin: PAGE, authorization, 'x-svc-app-token': token })
  }
  expect((await by('ada')).status).toBe(200)
  expect(await by('bob')).toMatchObject({
    status: 401,
    text: expect.stringContaining('not the one of this window'),
  })
})

it('ends with a sign-out everywhere', async () => {
  const host = await open()
  const token = await sign(good)
  const status = async () => (await ask(host, WINDOWS, sent(token))).status
  expect(await status()).toBe(200)
  await host.host.users.signOut('ada')
  expect(await status()).toBe(401)
})

it.each([
  ['no token', null, 200],
  ['a token of somebody else', () => sign(good, 'HS256', Buffer.from('x'.repeat(32))), 200],
  ['a token that is over', () => sign({ ...good, iat: now - 300, exp: now - 10 }), 401],
  ['a token for others', () => sign({ ...good, aud: 'billing' }), 401],
] as const)('leaves to the other sign-in what has %s beside it, or not', async (_, token, status) => {
  const host = await open()
  const cookie = await host.signIn('bob')
  const authorization = token && `Bearer ${await token()}`
  expect(
    (await host.request(WINDOWS, { cookie, headers: { ...(authorization && { authorization }) } })).status,
  ).toBe(status)
})

it('is made by mintPageToken, by a secret or a key', async () => {
  const whose = async (options: TestHostOptions, token: string) => {
    const host = await open({ ...options, clock: frozenClock(Date.now()) })
    return await (await ask(host, '/api/v1/auth/whoami', sent(token))).json()
  }
  const secret = { secret: SECRET }
  expect(await whose({}, await mintPageToken({ ...secret, user: 'ada' }))).toEqual({ user_id: 'ada' })
  const publicKey = pemOf(p256.publicKey)
  const privateKey = pemOf(p256.privateKey)
  const token = await mintPageToken({ privateKey, user: 'bob', audience: 'x', seconds: 60 })
  expect(await whose({ pageTokens: { publicKey, audience: 'x' } }, token)).toEqual({ user_id: 'bob' })
})

it.each<[object, RegExp]>([
  [{ user: 'ada' }, /must have a secret or a privateKey, and not both/],
  [{ user: 'ada', secret: 'short' }, /secret must have at least 32 characters, got 5 characters/],
  [{ user: '', secret: SECRET }, /user must be a text that is not empty/],
  [
    { user: 'ada', secret: SECRET, seconds: 86_400 },
    /seconds must be a whole number from 1 to 3600, got 86400/,
  ],
  [{ user: 'ada', privateKey: pemOf(ed.publicKey) }, /privateKey must be a private key in PEM/],
])('mintPageToken refuses %j', async (options, sentence) => {
  await expect(mintPageToken(options as never)).rejects.toThrow(sentence)
})

it('is read of a socket, where it is one of the subprotocols', () => {
  const req = { method: 'GET', url: '/', socket: { remoteAddress: '::1' } }
  const head = (headers: object) => new NodeHead(headOnly({ ...req, headers } as never))
  const shown = head({ host: 'host.net', 'sec-websocket-protocol': `svc.calls.1, ${BEARER_PROTOCOL}a.b.c` })
  expect(shown.get('authorization')).toBe('Bearer a.b.c')
  expect(shown.request().headers.get('authorization')).toBe('Bearer a.b.c')
  expect(shown.get('sec-websocket-protocol')).toBe('svc.calls.1')
  expect(head({ 'sec-websocket-protocol': 'svc.calls.1' }).get('authorization')).toBeUndefined()
})
