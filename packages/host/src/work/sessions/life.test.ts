import { verifies } from '@svc/conformance/verifies'
import { limits, Refusal } from '@svc/contract'
import { expect } from 'vitest'
import { ADA, openSessionRoom, type SessionRoom } from '../../testing/sessions.ts'

const {
  AGENT_IDLE_TTL_MS: IDLE,
  AGENT_MAX_LIFETIME_MS: MOST,
  EXPIRED_KEEP_MS: KEEP,
  REVOKED_RETENTION_MS: RETENTION,
} = limits

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof Refusal ? error.code : `${error}`),
  )
const refresh = ({ sessions }: SessionRoom, id: string) => codeOf(sessions.touch(ADA, id))
const use = ({ sessions }: SessionRoom, id: string) => codeOf(sessions.active(ADA, id))

verifies(
  ['session.create.active', 'session.create.new', 'limits.agent_session', 'session.count'],
  'every create makes an active session of its own, with its two ends',
  async () => {
    const room = openSessionRoom()
    const now = room.clock.now()
    const window = await room.window()
    const made = await Promise.all(Array.from({ length: 50 }, () => room.create({ windowUuid: window })))
    expect(new Set(made.map(({ id }) => id)).size).toBe(50)
    for (const { id, row } of made) {
      expect(id).toMatch(/^aps_/)
      expect(row).toMatchObject({
        state: 'active',
        created_at: now,
        last_active_at: now,
        expires_at: now + 1_800_000,
        max_lifetime_at: now + 86_400_000,
      })
      expect(await use(room, id)).toBe('ok')
    }
  },
)

verifies('limits.complete_session', 'a completion session has ends of its own', async () => {
  const room = openSessionRoom()
  const now = room.clock.now()
  const { row } = await room.create({ kind: 'complete', submode: null })
  expect(row).toMatchObject({
    kind: 'complete',
    submode: null,
    fixed_client_id: null,
    expires_at: now + 900_000,
    max_lifetime_at: now + 3_600_000,
  })
})

verifies(
  ['session.slide', 'session.refresh.cap'],
  'a refresh or a run moves the idle end on, and never past the longest life',
  async () => {
    const room = openSessionRoom()
    const born = room.clock.now()
    const { id } = await room.create()
    for (let n = 1; n < MOST / (IDLE - 1); n += 1) {
      await room.clock.advance(IDLE - 1)
      const now = room.clock.now()
      const slid = n % 2 === 0 ? await room.sessions.touch(ADA, id) : await room.sessions.slide(id)
      expect(slid).toMatchObject({
        id,
        row: {
          last_active_at: now,
          expires_at: Math.min(now + IDLE, born + MOST),
          max_lifetime_at: born + MOST,
        },
      })
    }
    await room.clock.advance(born + MOST - 1 - room.clock.now())
    expect((await room.sessions.touch(ADA, id)).row.expires_at).toBe(born + MOST)
    await room.clock.advance(1)
    expect(await refresh(room, id)).toBe('APP_SESSION_EXPIRED')
    expect(await room.sessions.slide(id)).toBeNull()
  },
)

verifies.each(['session.expired.call', 'session.refresh.ended'])([
  ['a millisecond before its idle end', IDLE - 1, 'ok'],
  ['at its idle end', IDLE, 'APP_SESSION_EXPIRED'],
  ['long after it', IDLE * 3, 'APP_SESSION_EXPIRED'],
])('%s a session is %s', async (_when, ms, code) => {
  for (const isSwept of [false, true]) {
    const room = openSessionRoom()
    const { id } = await room.create()
    await room.clock.advance(ms)
    if (isSwept) await room.sessions.sweep()
    expect(await use(room, id)).toBe(code)
    expect(await refresh(room, id)).toBe(code)
  }
})

verifies(
  ['session.reaper', 'decision.session.expired_kept', 'session.purge', 'limits.revoked_retention'],
  'an expired session is revoked a day later and purged with its checkpoint another day later',
  async () => {
    const room = openSessionRoom()
    const { id } = await room.create()
    const at = async (ms: number) => {
      await room.clock.advance(ms)
      await room.sessions.sweep()
      return [(await room.row(id))?.state, await use(room, id)]
    }
    expect(await at(IDLE)).toEqual(['expired', 'APP_SESSION_EXPIRED'])
    expect(await at(KEEP - 1)).toEqual(['expired', 'APP_SESSION_EXPIRED'])
    expect(await at(1)).toEqual(['revoked', 'APP_SESSION_REVOKED'])
    expect(await at(RETENTION - 1)).toEqual(['revoked', 'APP_SESSION_REVOKED'])
    expect(room.runs.forgotten).toEqual([])
    expect(await at(1)).toEqual([undefined, 'APP_SESSION_NOT_FOUND'])
    expect(room.runs.forgotten).toEqual([id])
  },
)

verifies(
  ['session.delete.cancels', 'session.delete.idempotent', 'decision.delete.after', 'session.refresh.ended'],
  'delete revokes an active session, cancels its runs and is done again without a change',
  async () => {
    const room = openSessionRoom()
    const { id, row } = await room.create({ systemPrompt: 'Be brief.' })
    room.runs.active.set(id, 2)
    await room.sessions.revoke(ADA, id)
    const now = room.clock.now()
    expect(await room.row(id)).toEqual({
      ...row,
      state: 'revoked',
      ended_at: now,
      due_at: now + RETENTION,
      system_prompt: null,
    })
    expect(room.runs.cancelled).toEqual([[id, 'revoked']])
    expect([await use(room, id), await refresh(room, id), await room.sessions.slide(id)]).toEqual([
      'APP_SESSION_REVOKED',
      'APP_SESSION_REVOKED',
      null,
    ])
    await room.clock.advance(RETENTION - 1)
    await room.sessions.revoke(ADA, id)
    expect((await room.row(id))?.due_at).toBe(now + RETENTION)
    await room.clock.advance(1)
    await room.sessions.sweep()
    await room.sessions.revoke(ADA, id)
    expect([await room.row(id), await use(room, id)]).toEqual([null, 'APP_SESSION_NOT_FOUND'])
  },
)

verifies('decision.delete.always', 'delete revokes an expired session, swept or not', async () => {
  const room = openSessionRoom()
  for (const isSwept of [false, true]) {
    const { id } = await room.create()
    await room.clock.advance(IDLE)
    if (isSwept) await room.sessions.sweep()
    await room.sessions.revoke(ADA, id)
    expect(await room.row(id)).toMatchObject({ state: 'revoked', due_at: room.clock.now() + RETENTION })
    expect(await use(room, id)).toBe('APP_SESSION_REVOKED')
  }
})

verifies(
  'decision.session.run_spares',
  'the idle end spares a session with a run under way, and its last slide gives it a whole idle window',
  async () => {
    const room = openSessionRoom()
    const { id } = await room.create()
    room.runs.active.set(id, 1)
    await room.clock.advance(IDLE * 2)
    await room.sessions.sweep()
    expect([await use(room, id), (await room.row(id))?.state]).toEqual(['ok', 'active'])
    expect((await room.sessions.slide(id))?.row.expires_at).toBe(room.clock.now() + IDLE)
    room.runs.active.delete(id)
    await room.clock.advance(IDLE - 1)
    expect(await refresh(room, id)).toBe('ok')
    await room.clock.advance(IDLE)
    expect(await use(room, id)).toBe('APP_SESSION_EXPIRED')
  },
)

verifies('decision.session.hard_cap', 'the longest life ends a session under its runs', async () => {
  for (const end of ['sweep', 'slide', 'active'] as const) {
    const room = openSessionRoom()
    const { id } = await room.create()
    room.runs.active.set(id, 1)
    await room.clock.advance(MOST)
    const ends = {
      sweep: () => room.sessions.sweep(),
      slide: () => room.sessions.slide(id),
      active: () => use(room, id),
    }
    await ends[end]()
    expect([end, room.runs.cancelled, await use(room, id)]).toEqual([
      end,
      [[id, 'expired']],
      'APP_SESSION_EXPIRED',
    ])
  }
})

verifies('session.expired.quota', 'a session whose end has come takes no place, sweeper or not', async () => {
  const room = openSessionRoom({ limits: { SESSIONS_PER_APP: 2, SESSIONS_PER_USER: 3 } })
  const [first] = [await room.create(), await room.create()]
  const refused = room.create()
  await expect(refused).rejects.toMatchObject({
    code: 'APP_QUOTA_EXCEEDED',
    message: 'a user may have 2 active sessions in one app',
    details: { quota: 'sessions', max: 2, hint: expect.stringContaining('session.delete') },
  })
  await room.create({ appId: 'app_2' })
  expect(await codeOf(room.create({ appId: 'app_3' }))).toBe('APP_QUOTA_EXCEEDED')
  expect(await codeOf(room.create({ userId: 'bob' }))).toBe('ok')
  await room.sessions.revoke(ADA, first?.id ?? '')
  expect(await codeOf(room.create())).toBe('ok')
  await room.clock.advance(IDLE)
  for (const code of ['ok', 'ok', 'APP_QUOTA_EXCEEDED']) expect(await codeOf(room.create())).toBe(code)
})

verifies('wall.sessions.kept', 'ended sessions are kept to a number, the last ones of each app', async () => {
  const room = openSessionRoom({ limits: { SESSIONS_KEPT_PER_APP: 2, SESSIONS_KEPT_PER_USER: 3 } })
  const ended: string[] = []
  for (const appId of ['app_1', 'app_1', 'app_1', 'app_2', 'app_2']) {
    const { id } = await room.create({ appId })
    await room.clock.advance(1)
    await room.sessions.revoke({ userId: 'ada', appId }, id)
    ended.push(id)
  }
  const kept = await room.sessions.list({ userId: 'ada' }, { includeExpired: true, limit: 9 })
  expect(kept.map(({ id }) => id)).toEqual(ended.slice(2).reverse())
  expect(room.runs.forgotten).toEqual(ended.slice(0, 2))
})

verifies(
  ['session.delete.cancels', 'session.delete.idempotent'],
  'runs that could not be cancelled hold up no end, and a second delete looks for them again',
  async () => {
    const room = openSessionRoom()
    const [{ id }, late] = [await room.create(), await room.create()]
    room.runs.failing = 1
    await room.sessions.revoke(ADA, id)
    expect([room.runs.cancelled, await use(room, id)]).toEqual([[], 'APP_SESSION_REVOKED'])
    await room.sessions.revoke(ADA, id)
    expect(room.runs.cancelled).toEqual([[id, 'revoked']])

    await room.clock.advance(RETENTION)
    await room.sessions.sweep()
    expect(await room.row(id)).toBeNull()
    expect((await room.row(late.id))?.state).toBe('expired')
  },
)

verifies('session.purge', 'a purge that breaks off is taken up by the next sweep', async () => {
  const room = openSessionRoom()
  const [one, two] = [await room.create(), await room.create()]
  for (const { id } of [one, two]) await room.sessions.revoke(ADA, id)
  await room.clock.advance(RETENTION)
  room.runs.failing = 1
  await room.sessions.sweep()
  expect(room.runs.forgotten).toHaveLength(1)
  await room.sessions.sweep()
  expect(room.runs.forgotten.sort()).toEqual([one.id, two.id].sort())
  expect([await room.row(one.id), await room.row(two.id)]).toEqual([null, null])
})
