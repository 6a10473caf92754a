import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { windows as collection } from '../catalog/window-row.ts'
import { refusal } from '../testing/services.ts'
import { opened, recordOf } from '../testing/windows.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000

describe('silence', () => {
  test('seen writes at most once in 30 s', async () => {
    const { services, window } = await opened()
    const start = services.clock.now()
    const seenAt = async (at: number) => {
      await services.clock.advance(start + at - services.clock.now())
      services.windows.seen(await recordOf(services, window.window_uuid), services.clock.now())
      await services.clock.advance(limits.WINDOW_SEEN_GATHER_MS)
      return (await recordOf(services, window.window_uuid)).row.last_seen_at - start
    }
    expect(await seenAt(10_000)).toBe(0)
    expect(await seenAt(30_000)).toBe(0)
    expect(await seenAt(30_001)).toBe(30_001)
    expect(await seenAt(60_000)).toBe(30_001)
  })

  test('a call just before a window is stale is written at once', async () => {
    const { services, window } = await opened()
    await services.clock.advance(limits.WINDOW_STALE_MS - limits.WINDOW_SEEN_GATHER_MS / 2)
    services.windows.seen(await recordOf(services, window.window_uuid), services.clock.now())
    await services.clock.advance(0)
    const { row } = await recordOf(services, window.window_uuid)
    expect(row.last_seen_at).toBe(services.clock.now())
  })

  test('a host that leaves writes at once, and leaves no timer', async () => {
    const { services, window } = await opened()
    const app = await recordOf(services, window.window_uuid)
    await services.clock.advance(MINUTE)
    const timers = services.clock.timers
    services.windows.seen(app, services.clock.now())
    expect(services.clock.timers).toBe(timers + 1)
    services.leaving.begin()
    expect(services.clock.timers).toBe(timers)
    await services.clock.advance(0)
    const seen = await recordOf(services, window.window_uuid)
    expect(seen.row.last_seen_at).toBe(services.clock.now())
    await services.clock.advance(MINUTE)
    services.windows.seen(seen, services.clock.now())
    await services.clock.advance(0)
    expect((await recordOf(services, window.window_uuid)).row.last_seen_at).toBe(services.clock.now())
  })

  verifies(
    'decision.window.stale',
    'five minutes make a window stale and the next call wakes it',
    async () => {
      const { services, window } = await opened()
      const uuid = window.window_uuid
      await services.clock.advance(5 * MINUTE - 1)
      await services.windows.sweep()
      expect((await recordOf(services, uuid)).row.status).toBe('open')
      await services.clock.advance(1)
      await services.windows.sweep()
      expect((await recordOf(services, uuid)).row).toMatchObject({
        status: 'stale',
        due_at: services.clock.now() + DAY - 5 * MINUTE,
      })
      expect(await services.windows.list('ada')).toMatchObject([{ window_uuid: uuid, status: 'stale' }])
      services.windows.seen(await recordOf(services, uuid), services.clock.now())
      services.windows.seen(await recordOf(services, uuid), services.clock.now())
      await services.clock.advance(0)
      expect((await recordOf(services, uuid)).row).toMatchObject({
        status: 'open',
        last_seen_at: services.clock.now(),
      })
    },
  )

  test('a window that was in use for long is stale five minutes after its last call', async () => {
    const { services, window } = await opened()
    const uuid = window.window_uuid
    const looks = new Set<number | null>()
    for (let beat = 0; beat < 120; beat += 1) {
      await services.clock.advance(10_000 - limits.WINDOW_SEEN_GATHER_MS)
      services.windows.seen(await recordOf(services, uuid), services.clock.now())
      await services.clock.advance(limits.WINDOW_SEEN_GATHER_MS)
      await services.windows.sweep()
      const { row } = await recordOf(services, uuid)
      expect(row.status).toBe('open')
      looks.add(row.due_at)
    }
    // Each of its calls would move it in an index.
    expect(looks.size).toBeLessThanOrEqual(6)
    const { row } = await recordOf(services, uuid)
    await services.clock.advance(row.last_seen_at + 5 * MINUTE - 1 - services.clock.now())
    await services.windows.sweep()
    expect((await recordOf(services, uuid)).row.status).toBe('open')
    await services.clock.advance(1)
    await services.windows.sweep()
    expect((await recordOf(services, uuid)).row.status).toBe('stale')
  })

  test.each([
    ['open', 200_000, 500_000, 2],
    ['crashed', 20 * HOUR, 24 * HOUR + MINUTE, 1],
  ] as const)(
    'a silent window that was %s is not written by each sweep',
    async (status, seenAt, end, most) => {
      const { services, window } = await opened()
      const uuid = window.window_uuid
      const start = services.clock.now()
      await services.windows.change(uuid, (row) => ({ ...row, status }))
      await services.clock.advance(seenAt)
      services.windows.seen(await recordOf(services, uuid), services.clock.now())
      await services.clock.advance(limits.WINDOW_SEEN_GATHER_MS)
      const revisions = new Set<number>()
      const sweep = async () => {
        await services.windows.sweep()
        revisions.add((await recordOf(services, uuid)).revision)
      }
      await sweep()
      await services.clock.advance(start + Math.max(seenAt, end - 5 * MINUTE) - services.clock.now())
      for (; services.clock.now() <= start + end; await services.clock.advance(1_000)) await sweep()
      expect(revisions.size - 1).toBeLessThanOrEqual(most)
      const { row } = await recordOf(services, uuid)
      expect(row).toMatchObject({
        status: status === 'open' ? 'stale' : status,
        last_seen_at: start + seenAt,
      })
    },
  )

  verifies(
    'decision.window.silent_close',
    'a day of silence closes a window, a call in time keeps it',
    async () => {
      const { services, app, window } = await opened()
      const kept = await services.windows.open('ada', { app_id: app.app_id })
      await services.clock.advance(DAY - MINUTE)
      await services.windows.sweep()
      services.windows.seen(await recordOf(services, kept.window_uuid), services.clock.now())
      await services.clock.advance(0)
      await services.clock.advance(MINUTE)
      await services.windows.sweep()
      expect((await recordOf(services, window.window_uuid)).row).toMatchObject({
        status: 'closed',
        closed_at: services.clock.now(),
      })
      expect((await recordOf(services, kept.window_uuid)).row.status).toBe('open')
      expect(services.emittedOf('close_view')).toMatchObject([
        { windowUuid: window.window_uuid, payload: { reason: 'silent' } },
      ])
    },
  )

  test('a late sweeper changes nothing: a silent window is closed for every reader', async () => {
    const { services, window } = await opened()
    await services.clock.advance(DAY)
    expect(await services.windows.list('ada')).toEqual([])
    expect(await refusal(services.windows.token('ada', window.window_uuid))).toMatch(/^not_found/)
    services.windows.seen(await recordOf(services, window.window_uuid), services.clock.now())
    await services.clock.advance(0)
    expect((await recordOf(services, window.window_uuid)).row.last_seen_at).toBe(services.clock.now() - DAY)
  })

  test('a crashed window stays crashed through calls and silence until it closes', async () => {
    const { services, window } = await opened()
    const uuid = window.window_uuid
    await services.windows.change(uuid, (row) => ({ ...row, status: 'crashed' }))
    await services.clock.advance(6 * MINUTE)
    await services.windows.sweep()
    services.windows.seen(await recordOf(services, uuid), services.clock.now())
    await services.clock.advance(0)
    expect((await recordOf(services, uuid)).row).toMatchObject({
      status: 'crashed',
      last_seen_at: services.clock.now(),
    })
    await services.clock.advance(DAY)
    await services.windows.sweep()
    expect((await recordOf(services, uuid)).row.status).toBe('closed')
  })

  test('one sweep takes up more windows than one page of a scan', async () => {
    const { services, app } = await opened(undefined, { limits: { WINDOWS_PER_APP: 256 } })
    for (let more = 0; more < 220; more++) await services.windows.open('ada', { app_id: app.app_id })
    await services.clock.advance(5 * MINUTE)
    await services.windows.sweep()
    const listed = await services.store.scan(collection, 'dueAt', { to: services.clock.now(), limit: 1 })
    expect(listed.rows).toEqual([])
    await services.clock.advance(DAY)
    await services.windows.sweep()
    expect(services.emittedOf('close_view')).toHaveLength(221)
  })
})
