import { verifies } from '@svc/conformance/verifies'
import { Refusal } from '@svc/contract'
import { expect } from 'vitest'
import { ADA, openSessionBed } from '../../testing/sessions.ts'
import type { WorkOwner } from '../engine/work-owner.ts'

/** What anybody may try with a uuid, and how it answers. */
async function answers(owner: WorkOwner, uuid: string, bed: ReturnType<typeof openSessionBed>) {
  const { sessions } = bed
  const tries = [sessions.active(owner, uuid), sessions.touch(owner, uuid), sessions.find(owner, uuid)]
  const told = await Promise.allSettled([...tries, sessions.revoke(owner, uuid)])
  return told.map((one) => {
    if (one.status === 'rejected') return one.reason instanceof Refusal ? one.reason.code : `${one.reason}`
    return one.value === undefined ? 'done' : one.value === null ? null : one.value.id
  })
}
const NOTHING = ['APP_SESSION_NOT_FOUND', 'APP_SESSION_NOT_FOUND', null, 'done']

verifies.each([
  'decision.session.unknown',
  'error.session_not_found',
  'decision.delete.always',
  'session.list.app',
])([
  ['another app of the user', { userId: 'ada', appId: 'app_2' }],
  ['the same app of another user', { userId: 'bob', appId: 'app_1' }],
  ['another user on all apps', { userId: 'bob' }],
])('to %s a session looks like none, and its delete does nothing', async (_who, owner) => {
  const bed = openSessionBed()
  const { id } = await bed.create()
  const before = await bed.row(id)
  expect(await answers(owner, id, bed)).toEqual(NOTHING)
  expect(await answers(owner, 'aps_nosuch', bed)).toEqual(NOTHING)
  expect(await bed.sessions.list(owner, { includeExpired: true, limit: 9 })).toEqual([])
  expect(await bed.row(id)).toEqual(before)
  expect(bed.runs.cancelled).toEqual([])
})

verifies('session.delete.identity', 'its own app and the page of its user reach a session', async () => {
  for (const owner of [ADA, { userId: 'ada' }]) {
    const bed = openSessionBed()
    const { id } = await bed.create()
    expect(await bed.sessions.find(owner, id)).toMatchObject({ id })
    await bed.sessions.touch(owner, id)
    await bed.sessions.revoke(owner, id)
    expect((await bed.row(id))?.state).toBe('revoked')
  }
})

verifies(
  'wall.sessions.uninstalled',
  'an uninstalled app has no active session, another app keeps its own',
  async () => {
    const bed = openSessionBed()
    const mine = await Promise.all([bed.create(), bed.create({ windowUuid: await bed.window() })])
    const [other, foreign] = [await bed.create({ appId: 'app_2' }), await bed.create({ userId: 'bob' })]
    bed.runs.active.set(mine[0].id, 1)
    await bed.sessions.revokeAll('ada', 'app_1')
    const states = await Promise.all(
      [...mine, other, foreign].map(async ({ id }) => (await bed.row(id))?.state),
    )
    expect(states).toEqual(['revoked', 'revoked', 'active', 'active'])
    expect(bed.runs.cancelled).toContainEqual([mine[0].id, 'revoked'])
  },
)
