import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { ADA, openSessionRoom } from '../../testing/sessions.ts'

const { AGENT_IDLE_TTL_MS: IDLE, REVOKED_RETENTION_MS: RETENTION, SESSION_CLOSE_GRACE_MS: GRACE } = limits

async function open() {
  const room = openSessionRoom()
  const window = await room.window()
  const made = await room.create({ windowUuid: window })
  const state = async (uuid = made.id) => (await room.row(uuid))?.state
  return { ...room, windowUuid: window, id: made.id, state }
}

verifies.each(['session.window_closed', 'decision.window.sessions_grace'])([
  ['before its grace is over', GRACE - 1, 'active', []],
  ['when its grace is over', GRACE, 'revoked', ['revoked']],
] as const)('%s a session of a closed window is swept to %#', async (_when, ms, state, cancelled) => {
  const room = await open()
  const other = await room.create({ windowUuid: await room.window() })
  const without = await room.create()
  await room.sessions.sweep()
  await room.closeWindow(room.windowUuid)
  await room.clock.advance(ms)
  await room.sessions.sweep()
  expect([await room.state(), await room.state(other.id), await room.state(without.id)]).toEqual([
    state,
    'active',
    'active',
  ])
  expect(room.runs.cancelled).toEqual(cancelled.map((why) => [room.id, why]))
})

verifies(
  'session.window_closed',
  'whoever looks after the grace finds the session revoked, unswept',
  async () => {
    const room = await open()
    await room.closeWindow(room.windowUuid)
    await room.clock.advance(GRACE - 1)
    expect(await room.sessions.list(ADA, { includeExpired: false, limit: 9 })).toHaveLength(1)
    await room.clock.advance(1)
    expect(await room.sessions.list(ADA, { includeExpired: false, limit: 9 })).toEqual([])
    expect(await room.row(room.id)).toMatchObject({
      state: 'revoked',
      ended_at: room.clock.now(),
      due_at: room.clock.now() + RETENTION,
    })
    await expect(room.sessions.touch(ADA, room.id)).rejects.toMatchObject({ code: 'APP_SESSION_REVOKED' })
  },
)

verifies(
  'session.window_closed',
  'a run under way does not spare the session of a closed window',
  async () => {
    const room = await open()
    room.runs.active.set(room.id, 1)
    await room.closeWindow(room.windowUuid)
    await room.clock.advance(GRACE)
    expect(await room.sessions.slide(room.id)).toBeNull()
    expect(room.runs.cancelled).toEqual([[room.id, 'revoked']])
  },
)

verifies('session.window_closed', 'what came first is what a session ended by', async () => {
  const room = await open()
  await room.clock.advance(IDLE - GRACE)
  await room.closeWindow(room.windowUuid)
  await room.clock.advance(GRACE * 2)
  await room.sessions.sweep()
  expect(await room.state()).toBe('expired')
})

verifies(
  'session.window_closed',
  'windows that were closed while no host swept take their sessions along, and so does one whose record is gone',
  async () => {
    const room = await open()
    await room.closeWindow(room.windowUuid)
    await room.clock.advance(GRACE * 10)
    const late = openSessionRoom({ clock: room.clock, store: room.store })
    await late.sessions.sweep()
    expect(await room.state()).toBe('revoked')

    const gone = await room.window()
    const { id } = await room.create({ windowUuid: gone })
    await room.forgetWindow(gone)
    await expect(room.sessions.active(ADA, id)).rejects.toMatchObject({ code: 'APP_SESSION_REVOKED' })
  },
)

verifies(
  'session.window_closed',
  'a session that the sweeper could not end is tried again, and holds up no other',
  async () => {
    const room = await open()
    await room.sessions.sweep()
    const other = await room.create({ windowUuid: room.windowUuid })
    await room.closeWindow(room.windowUuid)
    await room.clock.advance(GRACE)
    let failing = 1
    const { swap } = room.store
    room.store.swap = (...asked) => {
      failing -= 1
      return failing === 0 ? Promise.reject(new Error('the store is away')) : swap(...asked)
    }
    await room.sessions.sweep()
    expect([await room.state(), await room.state(other.id)].sort()).toEqual(['active', 'revoked'])
    await room.sessions.sweep()
    expect([await room.state(), await room.state(other.id)]).toEqual(['revoked', 'revoked'])
  },
)
