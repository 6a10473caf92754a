import { createHmac, randomBytes } from 'node:crypto'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  audiences,
  cookieAt,
  ISSUER,
  isTokenText,
  SIGN_IN_COOKIE,
  START_COOKIE,
  WINDOW_TOKEN_HEADER,
} from './tokens.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const body = `${part({ alg: 'HS256', typ: 'svc_app_window' })}.${part({ wid: 'W', exp: 1 })}`
const token = `${body}.${createHmac('sha256', 'key').update(body).digest('base64url')}`

verifies('wall.token.one_spelling', 'takes each token that is made', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (signature) => {
      expect(isTokenText(`${body}.${Buffer.from(signature).toString('base64url')}`, 4_096)).toBe(true)
    }),
  )
})

verifies('wall.token.one_spelling', 'takes one spelling of a signature and no other', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const signature = randomBytes(32).toString('base64url')
  for (const last of alphabet) {
    const spelled = signature.slice(0, -1) + last
    const canonical = Buffer.from(spelled, 'base64url').toString('base64url') === spelled
    expect(isTokenText(`${body}.${spelled}`, 4_096), last).toBe(canonical)
  }
})

const [head = '', claims = '', signature = ''] = token.split('.')

verifies.each('wall.token.one_spelling')([
  ['nothing', ''],
  ['a trailing line feed', `${token}\n`],
  ['a leading space', ` ${token}`],
  ['a trailing dot', `${token}.`],
  ['a fourth part', `${token}.${signature}`],
  ['two parts', `${head}.${claims}`],
  ['no head', `.${claims}.${signature}`],
  ['no claims', `${head}..${signature}`],
  ['no signature', `${head}.${claims}.`],
  ['padding', `${token}=`],
  ['base64 instead of base64url', `${head}.${claims}.${signature.slice(0, 41)}+/`],
  ['a signature of 512 bits', `${head}.${claims}.${Buffer.alloc(64).toString('base64url')}`],
  ['a signature of 31 bytes', `${head}.${claims}.${Buffer.alloc(31).toString('base64url')}`],
  ['two headers joined', `${token}, ${token}`],
  ['a letter that is none of ASCII', token.replace('e', 'е')],
  ['a megabyte', `${'a'.repeat(1_048_576)}.${claims}.${signature}`],
])('refuses %s', (_name, text) => {
  expect(isTokenText(text, 4_096)).toBe(false)
})

it('takes exactly as many characters as allowed', () => {
  expect(isTokenText(token, token.length)).toBe(true)
  expect(isTokenText(token, token.length - 1)).toBe(false)
})

it('keeps audiences and types apart', () => {
  expect(audiences).toEqual({
    window: { aud: 'svc-app-window', typ: 'svc_app_window' },
    session: { aud: 'aps-llm', typ: 'svc_app_session' },
    signIn: { aud: 'svc-sign-in', typ: 'svc_sign_in' },
    upload: { aud: 'svc-upload', typ: 'svc_upload' },
  })
  const all = Object.values(audiences)
  expect(new Set(all.map(({ aud }) => aud)).size).toBe(all.length)
  expect(new Set(all.map(({ typ }) => typ)).size).toBe(all.length)
})

it('names the header in lower case, as Node reads it', () => {
  expect(WINDOW_TOKEN_HEADER).toBe('X-Svc-App-Token'.toLowerCase())
})

it('keeps the names by which cookies and tokens that are out in the world are read', () => {
  expect([ISSUER, SIGN_IN_COOKIE, START_COOKIE]).toEqual(['svc', 'svc_signin', 'svc_start'])
})

it.each([
  ['localhost:8787', 'svc_signin_8787'],
  ['127.0.0.1:1', 'svc_signin_1'],
  ['[::1]:65535', 'svc_signin_65535'],
  ['[::1]', 'svc_signin'],
  ['site.org', 'svc_signin'],
  ['site.org:', 'svc_signin'],
  ['site.org:80a', 'svc_signin'],
  ['', 'svc_signin'],
  [undefined, 'svc_signin'],
])('names a cookie at the Host %j %s', (host, name) => {
  expect(cookieAt(SIGN_IN_COOKIE, host)).toBe(name)
})
