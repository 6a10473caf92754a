import { verifies } from '@svc/conformance/verifies'
import { limits, Refusal } from '@svc/contract'
import { expect } from 'vitest'
import { ADA, openSessionBed, type SessionBed } from '../../testing/sessions.ts'

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
const refresh = ({ sessions }: SessionBed, id: string) => codeOf(sessions.touch(ADA, id))
const use = ({ sessions }: SessionBed, id: string) => codeOf(sessions.active(ADA, id))

verifies(
  ['session.create.active', 'session.create.new', 'limits.agent_session', 'session.count'],
  'every create makes an active session of its own, with its two ends',
  async () => {
    const bed = openSessionBed()
    const now = bed.clock.now()
    const window = await bed.window()
    const made = await Promise.all(Array.from({ length: 50 }, () => bed.create({ windowUuid: window })))
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
      expect(await use(bed, id)).toBe('ok')
    }
  },
)

verifies('limits.complete_session', 'a completion session has ends of its own', async () => {
  const bed = openSessionBed()
  const now = bed.clock.now()
  const { row } = await bed.create({ kind: 'complete', submode: null })
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
    const bed = openSessionBed()
    const born = bed.clock.now()
    const { id } = await bed.create()
    for (let n = 1; n < MOST / (IDLE - 1); n += 1) {
      await bed.clock.advance(IDLE - 1)
      const now = bed.clock.now()
      const slid = n % 2 === 0 ? await bed.sessions.touch(ADA, id) : await bed.sessions.slide(id)
      expect(slid).toMatchObject({
        id,
        row: {
          last_active_at: now,
          expires_at: Math.min(now + IDLE, born + MOST),
          max_lifetime_at: born + MOST,
        },
      })
    }
    await bed.clock.advance(born + MOST - 1 - bed.clock.now())
    expect((await bed.sessions.touch(ADA, id)).row.expires_at).toBe(born + MOST)
    await bed.clock.advance(1)
    expect(await refresh(bed, id)).toBe('APP_SESSION_EXPIRED')
    expect(await bed.sessions.slide(id)).toBeNull()
  },
)

verifies.each(['session.expired.call', 'session.refresh.ended'])([
  ['a millisecond before its idle end', IDLE - 1, 'ok'],
  ['at its idle end', IDLE, 'APP_SESSION_EXPIRED'],
  ['long after it', IDLE * 3, 'APP_SESSION_EXPIRED'],
])('%s a session is %s', async (_when, ms, code) => {
  for (const isSwept of [false, true]) {
    const bed = openSessionBed()
    const { id } = await bed.create()
    await bed.clock.advance(ms)
    if (isSwept) await bed.sessions.sweep()
    expect(await use(bed, id)).toBe(code)
    expect(await refresh(bed, id)).toBe(code)
  }
})

verifies(
  ['session.reaper', 'decision.session.expired_kept', 'session.purge', 'limits.revoked_retention'],
  'an expired session is revoked a day later and purged with its checkpoint another day later',
  async () => {
    const bed = openSessionBed()
    const { id } = await bed.create()
    const at = async (ms: number) => {
      await bed.clock.advance(ms)
      await bed.sessions.sweep()
      return [(await bed.row(id))?.state, await use(bed, id)]
    }
    expect(await at(IDLE)).toEqual(['expired', 'APP_SESSION_EXPIRED'])
    expect(await at(KEEP - 1)).toEqual(['expired', 'APP_SESSION_EXPIRED'])
    expect(await at(1)).toEqual(['revoked', 'APP_SESSION_REVOKED'])
    expect(await at(RETENTION - 1)).toEqual(['revoked', 'APP_SESSION_REVOKED'])
    expect(bed.runs.forgotten).toEqual([])
    expect(await at(1)).toEqual([undefined, 'APP_SESSION_NOT_FOUND'])
    expect(bed.runs.forgotten).toEqual([id])
  },
)

verifies(
  ['session.delete.cancels', 'session.delete.idempotent', 'decision.delete.after', 'session.refresh.ended'],
  'delete revokes an active session, cancels its runs and is done again without a change',
  async () => {
    const bed = openSessionBed()
    const { id, row } = await bed.create({ systemPrompt: 'Be brief.' })
    bed.runs.active.set(id, 2)
    await bed.sessions.revoke(ADA, id)
    const now = bed.clock.now()
    expect(await bed.row(id)).toEqual({
      ...row,
      state: 'revoked',
      ended_at: now,
      due_at: now + RETENTION,
      system_prompt: null,
    })
    expect(bed.runs.cancelled).toEqual([[id, 'revoked']])
    expect([await use(bed, id), await refresh(bed, id), await bed.sessions.slide(id)]).toEqual([
      'APP_SESSION_REVOKED',
      'APP_SESSION_REVOKED',
      null,
    ])
    await bed.clock.advance(RETENTION - 1)
    await bed.sessions.revoke(ADA, id)
    expect((await bed.row(id))?.due_at).toBe(now + RETENTION)
    await bed.clock.advance(1)
    await bed.sessions.sweep()
    await bed.sessions.revoke(ADA, id)
    expect([await bed.row(id), await use(bed, id)]).toEqual([null, 'APP_SESSION_NOT_FOUND'])
  },
)

verifies('decision.delete.always', 'delete revokes an expired session, swept or not', async () => {
  const bed = openSessionBed()
  for (const isSwept of [false, true]) {
    const { id } = await bed.create()
    await bed.clock.advance(IDLE)
    if (isSwept) await bed.sessions.sweep()
    await bed.sessions.revoke(ADA, id)
    expect(await bed.row(id)).toMatchObject({ state: 'revoked', due_at: bed.clock.now() + RETENTION })
    expect(await use(bed, id)).toBe('APP_SESSION_REVOKED')
  }
})

verifies(
  'decision.session.run_spares',
  'the idle end spares a session with a run under way, and its last slide gives it a whole idle window',
  async () => {
    const bed = openSessionBed()
    const { id } = await bed.create()
    bed.runs.active.set(id, 1)
    await bed.clock.advance(IDLE * 2)
    await bed.sessions.sweep()
    expect([await use(bed, id), (await bed.row(id))?.state]).toEqual(['ok', 'active'])
    expect((await bed.sessions.slide(id))?.row.expires_at).toBe(bed.clock.now() + IDLE)
    bed.runs.active.delete(id)
    await bed.clock.advance(IDLE - 1)
    expect(await refresh(bed, id)).toBe('ok')
    await bed.clock.advance(IDLE)
    expect(await use(bed, id)).toBe('APP_SESSION_EXPIRED')
  },
)

verifies('decision.session.hard_cap', 'the longest life ends a session under its runs', async () => {
  for (const end of ['sweep', 'slide', 'active'] as const) {
    const bed = openSessionBed()
    const { id } = await bed.create()
    bed.runs.active.set(id, 1)
    await bed.clock.advance(MOST)
    const ends = {
      sweep: () => bed.sessions.sweep(),
      slide: () => bed.sessions.slide(id),
      active: () => use(bed, id),
    }
    await ends[end]()
    expect([end, bed.runs.cancelled, await use(bed, id)]).toEqual([
      end,
      [[id, 'expired']],
      'APP_SESSION_EXPIRED',
    ])
  }
})

verifies('session.expired.quota', 'a session whose end has come takes no place, sweeper or not', async () => {
  const bed = openSessionBed({ limits: { SESSIONS_PER_APP: 2, SESSIONS_PER_USER: 3 } })
  const [first] = [await bed.create(), await bed.create()]
  const refused = bed.create()
  await expect(refused).rejects.toMatchObject({
    code: 'APP_QUOTA_EXCEEDED',
    message: 'a user may have 2 active sessions in one app',
    details: { quota: 'sessions', max: 2, hint: expect.stringContaining('session.delete') },
  })
  await bed.create({ appId: 'app_2' })
  expect(await codeOf(bed.create({ appId: 'app_3' }))).toBe('APP_QUOTA_EXCEEDED')
  expect(await codeOf(bed.create({ userId: 'bob' }))).toBe('ok')
  await bed.sessions.revoke(ADA, first?.id ?? '')
  expect(await codeOf(bed.create())).toBe('ok')
  await bed.clock.advance(IDLE)
  for (const code of ['ok', 'ok', 'APP_QUOTA_EXCEEDED']) expect(await codeOf(bed.create())).toBe(code)
})

verifies('wall.sessions.kept', 'ended sessions are kept to a number, the last ones of each app', async () => {
  const bed = openSessionBed({ limits: { SESSIONS_KEPT_PER_APP: 2, SESSIONS_KEPT_PER_USER: 3 } })
  const ended: string[] = []
  for (const appId of ['app_1', 'app_1', 'app_1', 'app_2', 'app_2']) {
    const { id } = await bed.create({ appId })
    await bed.clock.advance(1)
    await bed.sessions.revoke({ userId: 'ada', appId }, id)
    ended.push(id)
  }
  const kept = await bed.sessions.list({ userId: 'ada' }, { includeExpired: true, limit: 9 })
  expect(kept.map(({ id }) => id)).toEqual(ended.slice(2).reverse())
  expect(bed.runs.forgotten).toEqual(ended.slice(0, 2))
})

verifies(
  ['session.delete.cancels', 'session.delete.idempotent'],
  'runs that could not be cancelled hold up no end, and a second delete looks for them again',
  async () => {
    const bed = openSessionBed()
    const [{ id }, late] = [await bed.create(), await bed.create()]
    bed.runs.failing = 1
    await bed.sessions.revoke(ADA, id)
    expect([bed.runs.cancelled, await use(bed, id)]).toEqual([[], 'APP_SESSION_REVOKED'])
    await bed.sessions.revoke(ADA, id)
    expect(bed.runs.cancelled).toEqual([[id, 'revoked']])

    await bed.clock.advance(RETENTION)
    await bed.sessions.sweep()
    expect(await bed.row(id)).toBeNull()
    expect((await bed.row(late.id))?.state).toBe('expired')
  },
)

verifies('session.purge', 'a purge that breaks off is taken up by the next sweep', async () => {
  const bed = openSessionBed()
  const [one, two] = [await bed.create(), await bed.create()]
  for (const { id } of [one, two]) await bed.sessions.revoke(ADA, id)
  await bed.clock.advance(RETENTION)
  bed.runs.failing = 1
  await bed.sessions.sweep()
  expect(bed.runs.forgotten).toHaveLength(1)
  await bed.sessions.sweep()
  expect(bed.runs.forgotten.sort()).toEqual([one.id, two.id].sort())
  expect([await bed.row(one.id), await bed.row(two.id)]).toEqual([null, null])
})
