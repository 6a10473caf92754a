import { verifies } from '@svc/conformance/verifies'
import { limits, type SessionClaims } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { describe, expect, test, vi } from 'vitest'
import { forger, forgeries } from '../../testing/forgeries.ts'
import { openTokens } from './tokens.ts'

const SECRET = 'a secret of more than thirty-two characters'
const NOW = Date.UTC(2030, 0, 1)
const claims = { wid: 'W', user_id: 'ada', app_id: 'app_1', version_id: 'ver_1', scopes: ['window.hello'] }
const open = () => {
  const clock = frozenClock(NOW)
  return { clock, tokens: openTokens({ secret: SECRET, clock, limits }) }
}

const seconds = NOW / 1_000
const session: SessionClaims = {
  app_session_uuid: 'aps_1',
  user_id: 'ada',
  app_id: 'app_1',
  kind: 'agent',
  submode: 'fixed',
  fixed_client_id: 'tool-local-weather-1',
}
const sessionPayload = { ...session, iss: 'svc', aud: 'aps-llm', iat: seconds, exp: seconds + 600 }
const payload = { ...claims, iss: 'svc', aud: 'svc-app-window', iat: seconds, exp: seconds + 120 }

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

  test('is not refused for a fault of the machine, which is thrown', async () => {
    const { tokens } = open()
    const text = await tokens.mint('window', claims, 120_000)
    const keys = vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('no memory'))
    try {
      await expect(tokens.verify('window', text)).rejects.toThrow('no memory')
    } finally {
      keys.mockRestore()
    }
    expect(await tokens.verify('window', text)).toMatchObject(claims)
  })

  verifies('token.window.signature', 'that was verified lends its signature to no other text', async () => {
    const { tokens } = open()
    const text = await tokens.mint('window', claims, 120_000)
    expect(await tokens.verify('window', text)).toMatchObject(claims)
    const [head = '', , signature = ''] = text.split('.')
    const other = Buffer.from(JSON.stringify({ ...payload, user_id: 'eve' })).toString('base64url')
    for (const forged of [
      `${head}.${other}.${signature}`,
      signature,
      `.${signature}`,
      `${text} `,
      ` ${text}`,
    ])
      expect(await tokens.verify('window', forged)).toBeNull()
    expect(tokens.verify('window', text)).toMatchObject(claims)
  })

  test('made by hand with the right key passes, so that the forgeries below fail for their own reason', async () => {
    expect(await open().tokens.verify('window', forger(SECRET, payload)())).toMatchObject(claims)
  })

  verifies.each([
    'token.window.signature',
    'wall.token.pinned',
    'wall.token.strict_text',
    'error.invalid_token',
  ])(forgeries(SECRET, payload))('is refused with %s', async (_name, text) => {
    expect(await open().tokens.verify('window', text)).toBeNull()
  })

  test('of a sign-in or an upload is refused without its claim', async () => {
    const { tokens } = open()
    const signIn = await tokens.mint('signIn', { user_id: '' }, 60_000)
    expect(await tokens.verify('signIn', signIn)).toBeNull()
    const upload = await tokens.mint('upload', { file_ref: '' }, 60_000)
    expect(await tokens.verify('upload', upload)).toBeNull()
  })

  test('an upload token tells its file, whatever its name', async () => {
    const { tokens } = open()
    const text = await tokens.mint('upload', { file_ref: 'other' }, 60_000)
    expect(await tokens.verify('upload', text)).toMatchObject({ file_ref: 'other' })
  })

  test('made as late as the skew allows is taken, and none that is later', async () => {
    const late = (by: number) => forger(SECRET, { ...payload, iat: seconds + by, exp: seconds + 600 })()
    expect(await open().tokens.verify('window', late(2))).toMatchObject(claims)
    expect(await open().tokens.verify('window', late(3))).toBeNull()
  })

  test.each([
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [86_400_000, 86_400],
  ])('for %i ms is good for %i s', async (ttlMs, lasts) => {
    const text = await open().tokens.mint('window', claims, ttlMs)
    const { exp } = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
    expect(exp - seconds).toBe(lasts)
  })

  test('a sign-in is not a window token', async () => {
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
    expect(tokens.verify('window', texts[1] as string)).toMatchObject({ wid: '2' })
    expect(tokens.verify('window', texts[2] as string)).toMatchObject({ wid: '3' })
  })
})

describe('a session token', () => {
  test('made by hand with the right key passes, and says nothing of a submode that is null', async () => {
    for (const change of [{}, { submode: null, fixed_client_id: null, kind: 'complete' }]) {
      const text = forger(SECRET, { ...sessionPayload, ...change }, 'session')()
      expect(await open().tokens.verify('session', text)).toMatchObject({ ...session, ...change })
      expect(await open().tokens.inspect('session', text)).toMatchObject({ expired: false })
    }
  })

  verifies.each([
    'token.session.signature',
    'wall.token.pinned',
    'wall.token.strict_text',
    'token.session.audience',
  ])(forgeries(SECRET, sessionPayload, 'session'))('is refused with %s', async (_name, text) => {
    const { clock, tokens } = open()
    expect(await tokens.verify('session', text)).toBeNull()
    expect(await tokens.inspect('session', text)).toBeNull()
    // No forgery becomes a token of ours that has run out.
    await clock.advance(700_000)
    expect(await tokens.inspect('session', text)).toBeNull()
  })

  verifies('token.session.lapsed', 'that has run out is told from one that never was', async () => {
    const { clock, tokens } = open()
    const text = await tokens.mint('session', session, limits.SESSION_TOKEN_TTL_MS)
    const told = async (which = tokens) => {
      const inspected = await which.inspect('session', text)
      return inspected && [inspected.expired, inspected.claims.app_session_uuid]
    }
    expect(await told()).toEqual([false, 'aps_1'])
    await clock.advance(601_999)
    expect(await told()).toEqual([false, 'aps_1'])
    await clock.advance(1)
    expect(await told()).toEqual([true, 'aps_1'])
    expect(await tokens.verify('session', text)).toBeNull()
    const stranger = openTokens({ secret: 'x'.repeat(40), clock, limits })
    expect(await told(stranger)).toBeNull()
    await clock.advance(86_400_000)
    expect(await told(openTokens({ secret: SECRET, clock, limits }))).toEqual([true, 'aps_1'])
    expect(await tokens.inspect('window', text)).toBeNull()
  })
})
