import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { ADA, openSessionBed } from '../../testing/sessions.ts'

const { AGENT_IDLE_TTL_MS: IDLE, REVOKED_RETENTION_MS: RETENTION, SESSION_CLOSE_GRACE_MS: GRACE } = limits

async function open() {
  const bed = openSessionBed()
  const window = await bed.window()
  const made = await bed.create({ windowUuid: window })
  const state = async (uuid = made.id) => (await bed.row(uuid))?.state
  return { ...bed, windowUuid: window, id: made.id, state }
}

verifies.each(['session.window_closed', 'decision.window.sessions_grace'])([
  ['before its grace is over', GRACE - 1, 'active', []],
  ['when its grace is over', GRACE, 'revoked', ['revoked']],
] as const)('%s a session of a closed window is swept to %#', async (_when, ms, state, cancelled) => {
  const bed = await open()
  const other = await bed.create({ windowUuid: await bed.window() })
  const without = await bed.create()
  await bed.sessions.sweep()
  await bed.closeWindow(bed.windowUuid)
  await bed.clock.advance(ms)
  await bed.sessions.sweep()
  expect([await bed.state(), await bed.state(other.id), await bed.state(without.id)]).toEqual([
    state,
    'active',
    'active',
  ])
  expect(bed.runs.cancelled).toEqual(cancelled.map((why) => [bed.id, why]))
})

verifies(
  'session.window_closed',
  'whoever looks after the grace finds the session revoked, unswept',
  async () => {
    const bed = await open()
    await bed.closeWindow(bed.windowUuid)
    await bed.clock.advance(GRACE - 1)
    expect(await bed.sessions.list(ADA, { includeExpired: false, limit: 9 })).toHaveLength(1)
    await bed.clock.advance(1)
    expect(await bed.sessions.list(ADA, { includeExpired: false, limit: 9 })).toEqual([])
    expect(await bed.row(bed.id)).toMatchObject({
      state: 'revoked',
      ended_at: bed.clock.now(),
      due_at: bed.clock.now() + RETENTION,
    })
    await expect(bed.sessions.touch(ADA, bed.id)).rejects.toMatchObject({ code: 'APP_SESSION_REVOKED' })
  },
)

verifies(
  'session.window_closed',
  'a run under way does not spare the session of a closed window',
  async () => {
    const bed = await open()
    bed.runs.active.set(bed.id, 1)
    await bed.closeWindow(bed.windowUuid)
    await bed.clock.advance(GRACE)
    expect(await bed.sessions.slide(bed.id)).toBeNull()
    expect(bed.runs.cancelled).toEqual([[bed.id, 'revoked']])
  },
)

verifies('session.window_closed', 'what came first is what a session ended by', async () => {
  const bed = await open()
  await bed.clock.advance(IDLE - GRACE)
  await bed.closeWindow(bed.windowUuid)
  await bed.clock.advance(GRACE * 2)
  await bed.sessions.sweep()
  expect(await bed.state()).toBe('expired')
})

verifies(
  'session.window_closed',
  'windows that were closed while no host swept take their sessions along, and so does one whose record is gone',
  async () => {
    const bed = await open()
    await bed.closeWindow(bed.windowUuid)
    await bed.clock.advance(GRACE * 10)
    const late = openSessionBed({ clock: bed.clock, store: bed.store })
    await late.sessions.sweep()
    expect(await bed.state()).toBe('revoked')

    const gone = await bed.window()
    const { id } = await bed.create({ windowUuid: gone })
    await bed.forgetWindow(gone)
    await expect(bed.sessions.active(ADA, id)).rejects.toMatchObject({ code: 'APP_SESSION_REVOKED' })
  },
)

verifies(
  'session.window_closed',
  'a session that the sweeper could not end is tried again, and holds up no other',
  async () => {
    const bed = await open()
    await bed.sessions.sweep()
    const other = await bed.create({ windowUuid: bed.windowUuid })
    await bed.closeWindow(bed.windowUuid)
    await bed.clock.advance(GRACE)
    let failing = 1
    const { swap } = bed.store
    bed.store.swap = (...asked) => {
      failing -= 1
      return failing === 0 ? Promise.reject(new Error('the store is away')) : swap(...asked)
    }
    await bed.sessions.sweep()
    expect([await bed.state(), await bed.state(other.id)].sort()).toEqual(['active', 'revoked'])
    await bed.sessions.sweep()
    expect([await bed.state(), await bed.state(other.id)]).toEqual(['revoked', 'revoked'])
  },
)
