import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { ADA, openSessionBed } from '../../testing/sessions.ts'

const { AGENT_IDLE_TTL_MS: IDLE } = limits
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)

verifies(
  ['session.list.expired', 'session.revoked.visible', 'session.list.result'],
  'a list shows active sessions, newest first, and ended ones only when they are asked for, sweeper or not',
  async () => {
    const bed = openSessionBed()
    const old = await bed.create({ label: 'old' })
    await bed.clock.advance(IDLE - 1)
    const kept = await bed.create({ label: 'kept' })
    const deleted = await bed.create({ label: 'deleted' })
    const newest = await bed.create({ label: 'newest' })
    await bed.sessions.revoke(ADA, deleted.id)
    await bed.clock.advance(1)
    const list = (includeExpired: boolean, limit = 9) => bed.sessions.list(ADA, { includeExpired, limit })
    expect(idsOf(await list(false))).toEqual(idsOf([newest, kept]))
    expect((await list(true)).map(({ row }) => [row.label, row.state])).toEqual([
      ['newest', 'active'],
      ['deleted', 'revoked'],
      ['kept', 'active'],
      ['old', 'expired'],
    ])
    expect(idsOf(await list(true, 2))).toEqual(idsOf([newest, deleted]))
    expect((await bed.row(old.id))?.state).toBe('expired')
  },
)

verifies('session.list.limit', 'a list is filled from as many pages as it takes', async () => {
  const bed = openSessionBed()
  const made = []
  for (let n = 0; n < 12; n += 1) made.push(await bed.create())
  await bed.clock.advance(IDLE / 2)
  for (const { id } of made.filter((_, at) => at % 3 === 0)) await bed.sessions.touch(ADA, id)
  await bed.clock.advance(IDLE / 2)
  const found = await bed.sessions.list(ADA, { includeExpired: false, limit: 3 })
  expect(idsOf(found)).toEqual(idsOf([made[9], made[6], made[3]].flatMap((one) => one ?? [])))
})

verifies('host.twins', "the user's page sees sessions of all apps with what is left of them", async () => {
  const bed = openSessionBed()
  const first = await bed.create({ label: 'first' })
  const second = await bed.create({ appId: 'app_2', kind: 'complete', submode: null })
  await bed.create({ userId: 'bob' })
  bed.runs.active.set(first.id, 2)
  await bed.sessions.token(first)
  await bed.clock.advance(60_500)
  const life = { app_id: 'app_1', expires_in: 539, idle_expires_in: 1_739, max_lifetime_in: 86_339 }
  expect(await bed.sessions.ofUser.list('ada')).toMatchObject([
    {
      app_session_uuid: second.id,
      kind: 'complete',
      app_id: 'app_2',
      active_runs: 0,
      expires_in: 600,
      idle_expires_in: 839,
      max_lifetime_in: 3_539,
    },
    { app_session_uuid: first.id, label: 'first', state: 'active', active_runs: 2, ...life },
  ])
  await bed.sessions.ofUser.end('ada', first.id)
  await bed.sessions.ofUser.end('bob', second.id)
  expect(await bed.sessions.ofUser.list('ada', { limit: 1 })).toMatchObject([{ app_session_uuid: second.id }])
  const ended = { expires_in: 0, idle_expires_in: 0, max_lifetime_in: 0, active_runs: 0 }
  expect((await bed.sessions.ofUser.list('ada', { includeExpired: true }))[1]).toMatchObject({
    app_session_uuid: first.id,
    state: 'revoked',
    ...ended,
  })
})
