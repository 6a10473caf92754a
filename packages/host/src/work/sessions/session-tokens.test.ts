import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, it } from 'vitest'
import { ADA, openSessionRoom } from '../../testing/sessions.ts'
import { openSessionTokens } from './session-tokens.ts'

const TTL = limits.SESSION_TOKEN_TTL_MS

verifies(
  ['token.session.audience', 'token.session.claims', 'limits.session_token', 'token.session.ttl'],
  'a session token names the session and what it is bound to, for ten minutes',
  async () => {
    const room = openSessionRoom()
    const record = await room.create({ submode: 'fixed', fixedClientId: 'weather' })
    const { token, expiresIn } = await room.sessions.token(record)
    expect(expiresIn).toBe(600)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'svc_app_session' })
    const now = room.clock.now() / 1_000
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
    await room.clock.advance(TTL - 1)
    expect(await room.tokens.verify('session', token)).toMatchObject({ app_session_uuid: record.id })
    await room.clock.advance(limits.TOKEN_SKEW_MS + 1)
    expect(await room.tokens.verify('session', token)).toBeNull()
    await expect(room.sessions.active(ADA, record.id)).resolves.toMatchObject({ id: record.id })
  },
)

verifies(
  ['token.session.reminted', 'session.token.remint'],
  'a token is kept for the first half of its life, and minted anew after it, by a refresh and after a delete',
  async () => {
    const room = openSessionRoom()
    const record = await room.create()
    expect(room.sessions.tokenExpiresIn(record.id)).toBe(600)
    const first = await room.sessions.token(record)
    await room.clock.advance(TTL / 2 - 1)
    expect(await room.sessions.token(record)).toEqual({ token: first.token, expiresIn: 300 })
    await room.clock.advance(1)
    const second = await room.sessions.token(record)
    expect([second.token === first.token, second.expiresIn]).toEqual([false, 600])
    await room.clock.advance(TTL * 2)
    expect(room.sessions.tokenExpiresIn(record.id)).toBe(0)
    const third = await room.sessions.token(record)
    await room.clock.advance(1_000)
    expect(room.sessions.tokenExpiresIn(record.id)).toBe(599)
    await room.sessions.touch(ADA, record.id)
    expect(room.sessions.tokenExpiresIn(record.id)).toBe(600)
    expect((await room.sessions.token(record)).token).not.toBe(third.token)
    await room.clock.advance(1_000)
    await room.sessions.revoke(ADA, record.id)
    expect(room.sessions.tokenExpiresIn(record.id)).toBe(600)
  },
)

it('keeps no more tokens than may be, and forgets one that could not be signed', async () => {
  const room = openSessionRoom()
  const records = [await room.create(), await room.create(), await room.create()]
  let failing = false
  const mint: typeof room.tokens.mint = (...asked) =>
    failing ? Promise.reject(new Error('no key')) : room.tokens.mint(...asked)
  const minted = openSessionTokens({
    clock: room.clock,
    limits: { ...limits, VERIFIED_TOKENS_MAX: 2 },
    tokens: { ...room.tokens, mint },
  })
  for (const record of records) await minted.of(record)
  await room.clock.advance(60_000)
  expect(records.map(({ id }) => minted.secondsLeft(id))).toEqual([600, 540, 540])
  failing = true
  const [record] = records
  if (!record) throw new Error('none')
  await expect(minted.of(record)).rejects.toThrow('no key')
  failing = false
  await expect(minted.of(record)).resolves.toMatchObject({ expiresIn: 600 })
})
