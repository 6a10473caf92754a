import { createHmac, generateKeyPairSync } from 'node:crypto'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { frozenClock } from '../clock-frozen.ts'
import { openTokens } from './tokens.ts'

const SECRET = 'a secret of more than thirty-two characters'
const NOW = Date.UTC(2030, 0, 1)
const claims = { wid: 'W', user_id: 'ada', app_id: 'app_1', version_id: 'ver_1', scopes: ['window.hello'] }
const open = () => {
  const clock = frozenClock(NOW)
  return { clock, tokens: openTokens({ secret: SECRET, clock, limits }) }
}

/** A token made by hand, so that the judge is not the maker. */
const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const keyOf = (aud: string, secret = SECRET) => createHmac('sha256', secret).update(`svc key ${aud}`).digest()
const seconds = NOW / 1_000
const header = { alg: 'HS256', typ: 'svc_app_window' }
const payload = { ...claims, iss: 'svc', aud: 'svc-app-window', iat: seconds, exp: seconds + 120 }
function forge({
  head = header,
  body = payload,
  key = keyOf('svc-app-window'),
  hash = 'sha256',
}: {
  head?: unknown
  body?: unknown
  key?: Buffer | string
  hash?: string
} = {}) {
  const text = `${base64url(head)}.${base64url(body)}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}
const without = (name: string) => Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name))

describe('a window token', () => {
  verifies(
    [
      'token.window.claims',
      'token.window.audience',
      'token.window.ttl',
      'token.window.expired',
      'decision.token.skew',
    ],
    'lives 120 s and two more of skew',
    async () => {
      const { clock, tokens } = open()
      const text = await tokens.mint('window', claims, limits.WINDOW_TOKEN_TTL_MS)
      const body = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
      expect(body).toEqual(payload)
      expect(await tokens.verify('window', text)).toMatchObject(claims)
      await clock.advance(121_999)
      expect(await tokens.verify('window', text)).toMatchObject(claims)
      await clock.advance(1)
      expect(await tokens.verify('window', text)).toBeNull()
      const fresh = openTokens({ secret: SECRET, clock, limits })
      expect(await fresh.verify('window', text)).toBeNull()
    },
  )

  test('is answered without a promise once it was verified', async () => {
    const { tokens } = open()
    const text = await tokens.mint('window', claims, 120_000)
    await tokens.verify('window', text)
    expect(tokens.verify('window', text)).toMatchObject(claims)
  })

  test('made by hand with the right key passes, so that the forgeries below fail for their own reason', async () => {
    expect(await open().tokens.verify('window', forge())).toMatchObject(claims)
  })

  const { publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const good = forge()
  const [h, p, s] = good.split('.') as [string, string, string]
  const last = s.at(-1) as string
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const sameBits = alphabet[alphabet.indexOf(last) + 1] as string

  verifies.each([
    'token.window.signature',
    'wall.token.pinned',
    'wall.token.strict_text',
    'error.invalid_token',
  ])([
    ['alg none', `${base64url({ alg: 'none', typ: header.typ })}.${p}.`],
    ['alg None', forge({ head: { ...header, alg: 'None' } })],
    ['alg none with a valid signature', forge({ head: { ...header, alg: 'none' } })],
    ['a header of HS512 over an HS256 signature', forge({ head: { ...header, alg: 'HS512' } })],
    ['HS512', forge({ head: { ...header, alg: 'HS512' }, hash: 'sha512' })],
    ['HMAC with a public RSA key', forge({ key: publicKey })],
    ['the key of another audience', forge({ key: keyOf('aps-llm') })],
    ['the empty key', forge({ key: '' })],
    ['the type of another token', forge({ head: { ...header, typ: 'svc_app_session' } })],
    ['no type', forge({ head: { alg: 'HS256' } })],
    ['the session audience', forge({ body: { ...payload, aud: 'aps-llm' } })],
    ['two audiences', forge({ body: { ...payload, aud: ['svc-app-window', 'aps-llm'] } })],
    ['no audience', forge({ body: without('aud') })],
    ['a number as audience', forge({ body: { ...payload, aud: 1 } })],
    ['an empty audience', forge({ body: { ...payload, aud: '' } })],
    ['a prefix of the audience', forge({ body: { ...payload, aud: 'svc-app' } })],
    ['the audience in capitals', forge({ body: { ...payload, aud: 'SVC-APP-WINDOW' } })],
    ['another issuer', forge({ body: { ...payload, iss: 'other' } })],
    ['no exp', forge({ body: without('exp') })],
    ['exp as text', forge({ body: { ...payload, exp: String(payload.exp) } })],
    ['exp as a fraction', forge({ body: { ...payload, exp: payload.exp + 0.5 } })],
    ['a negative exp', forge({ body: { ...payload, exp: -1 } })],
    ['exp two seconds ago', forge({ body: { ...payload, exp: seconds - 2 } })],
    ['exp before iat', forge({ body: { ...payload, exp: seconds - 10 } })],
    ['no iat', forge({ body: without('iat') })],
    ['iat in ten minutes', forge({ body: { ...payload, iat: seconds + 600 } })],
    ['wid as a list', forge({ body: { ...payload, wid: ['W'] } })],
    ['wid as an object', forge({ body: { ...payload, wid: { $ne: 1 } } })],
    ['no wid', forge({ body: without('wid') })],
    ['no user', forge({ body: without('user_id') })],
    [
      'scopes widened and signed with a wrong key',
      forge({ body: { ...payload, scopes: ['*'] }, key: keyOf('svc-app-window', 'x'.repeat(40)) }),
    ],
    ['an unknown crit', forge({ head: { ...header, crit: ['exp'], b64: true } })],
    ['zip', forge({ head: { ...header, zip: 'DEF', crit: ['zip'] } })],
    ['a list as payload', forge({ body: [payload] })],
    ['text as payload', forge({ body: '"text"' })],
    ['a payload that is no JSON', forge({ body: '{' })],
    ['four parts', `${good}.x`],
    ['two parts', `${h}.${p}`],
    ['a trailing dot', `${good}.`],
    ['a trailing line feed', `${good}\n`],
    ['a leading space', ` ${good}`],
    ['padding', `${good}=`],
    ['the last character changed in its unused bits', `${h}.${p}.${s.slice(0, -1)}${sameBits}`],
    ['a megabyte', `${h}.${'A'.repeat(1_000_000)}.${s}`],
    ['two tokens in one header', `${good}, ${good}`],
    ['nothing', ''],
  ])('is refused with %s', async (_name, text) => {
    expect(await open().tokens.verify('window', text)).toBeNull()
  })

  verifies.each(['wall.token.pinned'])([
    ['kid', { ...header, kid: '../../dev/null' }],
    ['jku', { ...header, jku: 'https://attacker.example/keys' }],
    ['jwk', { ...header, jwk: { kty: 'oct', k: 'AAAA' } }],
    ['x5u', { ...header, x5u: 'https://attacker.example/cert' }],
  ])('never takes a key from the header: %s', async (_name, head) => {
    const { tokens } = open()
    expect(await tokens.verify('window', forge({ head, key: 'attacker' }))).toBeNull()
  })

  test('a sign-in is no window token', async () => {
    const { tokens } = open()
    const signIn = await tokens.mint('signIn', { user_id: 'ada' }, 60_000)
    expect(await tokens.verify('signIn', signIn)).toMatchObject({ user_id: 'ada' })
    expect(await tokens.verify('window', signIn)).toBeNull()
  })

  test('the memory of verified tokens is bounded', async () => {
    const clock = frozenClock(NOW)
    const tokens = openTokens({ secret: SECRET, clock, limits: { ...limits, VERIFIED_TOKENS_MAX: 2 } })
    const texts = await Promise.all(
      ['1', '2', '3'].map((wid) => tokens.mint('window', { ...claims, wid }, 60_000)),
    )
    for (const text of texts) await tokens.verify('window', text)
    expect(tokens.verify('window', texts[0] as string)).toBeInstanceOf(Promise)
    expect(tokens.verify('window', texts[2] as string)).toMatchObject({ wid: '3' })
  })
})
