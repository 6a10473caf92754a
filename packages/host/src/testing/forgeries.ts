import { createHmac, generateKeyPairSync } from 'node:crypto'
import { type Audience, audiences } from '@svc/contract'

/** The parts of a token that is made by hand, so that the judge is not the maker. */
interface TokenParts {
  readonly head?: unknown
  readonly body?: unknown
  readonly key?: Buffer | string
  readonly hash?: string
}

/** The key of an audience. */
const keyOf = (aud: string, secret: string) => createHmac('sha256', secret).update(`svc key ${aud}`).digest()
const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

type Payload = Readonly<Record<string, unknown>> & { readonly iat: number; readonly exp: number }

/** The other one of two audiences that one host has. */
const otherOf = { window: 'session', session: 'window', signIn: 'window', upload: 'window' } as const

/** Makes tokens of the host with this secret; `payload` is what a good one says. */
export function forger(secret: string, payload: Payload, audience: Audience = 'window') {
  const { aud, typ } = audiences[audience]
  return ({
    head = { alg: 'HS256', typ },
    body = payload,
    key = keyOf(aud, secret),
    hash = 'sha256',
  }: TokenParts = {}) => {
    const text = `${base64url(head)}.${base64url(body)}`
    return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
  }
}

/** Tokens that no host may take (corpora/jwt.json), each with its name; `payload` is that of a good one. */
export function forgeries(
  secret: string,
  payload: Payload,
  audience: Audience = 'window',
): [string, string][] {
  const forge = forger(secret, payload, audience)
  const { aud, typ } = audiences[audience]
  const header = { alg: 'HS256', typ }
  const other = audiences[otherOf[audience]]
  const { iat: _iat, exp: _exp, iss: _iss, aud: _aud, ...said } = payload
  const seconds = payload.iat
  const without = (name: string) =>
    Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name))
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

  return [
    ['alg none', `${base64url({ alg: 'none', typ: header.typ })}.${p}.`],
    ['alg None', forge({ head: { ...header, alg: 'None' } })],
    ['alg none with a valid signature', forge({ head: { ...header, alg: 'none' } })],
    ['a header of HS512 over an HS256 signature', forge({ head: { ...header, alg: 'HS512' } })],
    ['HS512', forge({ head: { ...header, alg: 'HS512' }, hash: 'sha512' })],
    ['HMAC with a public RSA key', forge({ key: publicKey })],
    ['the key of another audience', forge({ key: keyOf(other.aud, secret) })],
    ['the empty key', forge({ key: '' })],
    ['the type of another token', forge({ head: { ...header, typ: other.typ } })],
    ['no type', forge({ head: { alg: 'HS256' } })],
    ['another audience', forge({ body: { ...payload, aud: other.aud } })],
    ['two audiences', forge({ body: { ...payload, aud: [aud, other.aud] } })],
    ['no audience', forge({ body: without('aud') })],
    ['a number as audience', forge({ body: { ...payload, aud: 1 } })],
    ['an empty audience', forge({ body: { ...payload, aud: '' } })],
    ['a prefix of the audience', forge({ body: { ...payload, aud: aud.slice(0, -1) } })],
    ['the audience in capitals', forge({ body: { ...payload, aud: aud.toUpperCase() } })],
    ['another issuer', forge({ body: { ...payload, iss: 'other' } })],
    ['no exp', forge({ body: without('exp') })],
    ['exp as text', forge({ body: { ...payload, exp: String(payload.exp) } })],
    ['exp as a fraction', forge({ body: { ...payload, exp: payload.exp + 0.5 } })],
    ['a negative exp', forge({ body: { ...payload, exp: -1 } })],
    ['exp two seconds ago', forge({ body: { ...payload, exp: seconds - 2 } })],
    ['exp before iat', forge({ body: { ...payload, exp: seconds - 10 } })],
    ['no iat', forge({ body: without('iat') })],
    ['iat in ten minutes', forge({ body: { ...payload, iat: seconds + 600 } })],
    ...Object.entries(said).flatMap(([name, value]): [string, string][] => [
      [`${name} in a list`, forge({ body: { ...payload, [name]: [value] } })],
      [`${name} as an object`, forge({ body: { ...payload, [name]: { $ne: 1 } } })],
      [`no ${name}`, forge({ body: without(name) })],
    ]),
    ['claims of a wrong key', forge({ key: keyOf(aud, 'x'.repeat(40)) })],
    ['an unknown crit', forge({ head: { ...header, crit: ['exp'], b64: true } })],
    ['zip', forge({ head: { ...header, zip: 'DEF', crit: ['zip'] } })],
    ['a list as payload', forge({ body: [payload] })],
    ['text as payload', forge({ body: '"text"' })],
    ['a payload that is not JSON', forge({ body: '{' })],
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
    ['a kid', forge({ head: { ...header, kid: '../../dev/null' }, key: 'attacker' })],
    ['a jku', forge({ head: { ...header, jku: 'https://attacker.example/keys' }, key: 'attacker' })],
    ['a jwk', forge({ head: { ...header, jwk: { kty: 'oct', k: 'AAAA' } }, key: 'attacker' })],
    ['an x5u', forge({ head: { ...header, x5u: 'https://attacker.example/cert' }, key: 'attacker' })],
  ]
}
