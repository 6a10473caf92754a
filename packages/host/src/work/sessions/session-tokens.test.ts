import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, it } from 'vitest'
import { ADA, openSessionBed } from '../../testing/sessions.ts'
import { openSessionTokens } from './session-tokens.ts'

const TTL = limits.SESSION_TOKEN_TTL_MS

verifies(
  ['token.session.audience', 'token.session.claims', 'limits.session_token', 'token.session.ttl'],
  'a session token names the session and what it is bound to, for ten minutes',
  async () => {
    const bed = openSessionBed()
    const record = await bed.create({ submode: 'fixed', fixedClientId: 'weather' })
    const { token, expiresIn } = await bed.sessions.token(record)
    expect(expiresIn).toBe(600)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'svc_app_session' })
    const now = bed.clock.now() / 1_000
    expect(decodeJwt(token)).toEqual({
      iss: 'svc',
      aud: 'aps-llm',
      iat: now,
      exp: now + 600,
      app_session_uuid: record.id,
      user_id: 'ada',
      app_id: 'app_1',
      kind: 'agent',
      submode: 'fixed',
      fixed_client_id: 'tool-local-weather-1',
    })
    await bed.clock.advance(TTL - 1)
    expect(await bed.tokens.verify('session', token)).toMatchObject({ app_session_uuid: record.id })
    await bed.clock.advance(limits.TOKEN_SKEW_MS + 1)
    expect(await bed.tokens.verify('session', token)).toBeNull()
    await expect(bed.sessions.active(ADA, record.id)).resolves.toMatchObject({ id: record.id })
  },
)

verifies(
  ['token.session.reminted', 'session.token.remint'],
  'a token is kept for the first half of its life, and minted anew after it, by a refresh and after a delete',
  async () => {
    const bed = openSessionBed()
    const record = await bed.create()
    expect(bed.sessions.tokenExpiresIn(record.id)).toBe(600)
    const first = await bed.sessions.token(record)
    await bed.clock.advance(TTL / 2 - 1)
    expect(await bed.sessions.token(record)).toEqual({ token: first.token, expiresIn: 300 })
    await bed.clock.advance(1)
    const second = await bed.sessions.token(record)
    expect([second.token === first.token, second.expiresIn]).toEqual([false, 600])
    await bed.clock.advance(TTL * 2)
    expect(bed.sessions.tokenExpiresIn(record.id)).toBe(0)
    const third = await bed.sessions.token(record)
    await bed.clock.advance(1_000)
    expect(bed.sessions.tokenExpiresIn(record.id)).toBe(599)
    await bed.sessions.touch(ADA, record.id)
    expect(bed.sessions.tokenExpiresIn(record.id)).toBe(600)
    expect((await bed.sessions.token(record)).token).not.toBe(third.token)
    await bed.clock.advance(1_000)
    await bed.sessions.revoke(ADA, record.id)
    expect(bed.sessions.tokenExpiresIn(record.id)).toBe(600)
  },
)

it('keeps no more tokens than may be, and forgets one that could not be signed', async () => {
  const bed = openSessionBed()
  const records = [await bed.create(), await bed.create(), await bed.create()]
  let failing = false
  const mint: typeof bed.tokens.mint = (...asked) =>
    failing ? Promise.reject(new Error('no key')) : bed.tokens.mint(...asked)
  const minted = openSessionTokens({
    clock: bed.clock,
    limits: { ...limits, VERIFIED_TOKENS_MAX: 2 },
    tokens: { ...bed.tokens, mint },
  })
  for (const record of records) await minted.of(record)
  await bed.clock.advance(60_000)
  expect(records.map(({ id }) => minted.secondsLeft(id))).toEqual([600, 540, 540])
  failing = true
  const [record] = records
  if (!record) throw new Error('none')
  await expect(minted.of(record)).rejects.toThrow('no key')
  failing = false
  await expect(minted.of(record)).resolves.toMatchObject({ expiresIn: 600 })
})
