import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { windows as collection } from '../catalog/records.ts'
import { refusal } from '../testing/house.ts'
import { opened, recordOf } from '../testing/windows.ts'

const DAY = 86_400_000
const MINUTE = 60_000

describe('silence', () => {
  test('seen writes at most once in 30 s', async () => {
    const { house, window } = await opened()
    const start = house.clock.now()
    const seenAt = async (at: number) => {
      await house.clock.advance(start + at - house.clock.now())
      house.windows.seen(await recordOf(house, window.window_uuid), house.clock.now())
      await house.clock.advance(0)
      return (await recordOf(house, window.window_uuid)).row.last_seen_at - start
    }
    expect(await seenAt(10_000)).toBe(0)
    expect(await seenAt(30_000)).toBe(0)
    expect(await seenAt(30_001)).toBe(30_001)
    expect(await seenAt(60_000)).toBe(30_001)
  })

  verifies(
    'decision.window.stale',
    'five minutes make a window stale and the next call wakes it',
    async () => {
      const { house, window } = await opened()
      const uuid = window.window_uuid
      await house.clock.advance(5 * MINUTE - 1)
      await house.windows.sweep()
      expect((await recordOf(house, uuid)).row.status).toBe('open')
      await house.clock.advance(1)
      await house.windows.sweep()
      expect((await recordOf(house, uuid)).row).toMatchObject({
        status: 'stale',
        due_at: house.clock.now() + DAY - 5 * MINUTE,
      })
      expect(await house.windows.list('ada')).toMatchObject([{ window_uuid: uuid, status: 'stale' }])
      house.windows.seen(await recordOf(house, uuid), house.clock.now())
      house.windows.seen(await recordOf(house, uuid), house.clock.now())
      await house.clock.advance(0)
      expect((await recordOf(house, uuid)).row).toMatchObject({
        status: 'open',
        last_seen_at: house.clock.now(),
      })
    },
  )

  verifies(
    'decision.window.silent_close',
    'a day of silence closes a window, a call in time keeps it',
    async () => {
      const { house, app, window } = await opened()
      const kept = await house.windows.open('ada', { app_id: app.app_id })
      await house.clock.advance(DAY - MINUTE)
      await house.windows.sweep()
      house.windows.seen(await recordOf(house, kept.window_uuid), house.clock.now())
      await house.clock.advance(0)
      await house.clock.advance(MINUTE)
      await house.windows.sweep()
      expect((await recordOf(house, window.window_uuid)).row).toMatchObject({
        status: 'closed',
        closed_at: house.clock.now(),
      })
      expect((await recordOf(house, kept.window_uuid)).row.status).toBe('open')
      expect(house.emittedOf('close_view')).toMatchObject([
        { windowUuid: window.window_uuid, payload: { reason: 'silent' } },
      ])
    },
  )

  test('a late sweeper changes nothing: a silent window is closed for every reader', async () => {
    const { house, window } = await opened()
    await house.clock.advance(DAY)
    expect(await house.windows.list('ada')).toEqual([])
    expect(await refusal(house.windows.token('ada', window.window_uuid))).toMatch(/^not_found/)
    house.windows.seen(await recordOf(house, window.window_uuid), house.clock.now())
    await house.clock.advance(0)
    expect((await recordOf(house, window.window_uuid)).row.last_seen_at).toBe(house.clock.now() - DAY)
  })

  test('a crashed window stays crashed through calls and silence until it closes', async () => {
    const { house, window } = await opened()
    const uuid = window.window_uuid
    await house.windows.change(uuid, (row) => ({ ...row, status: 'crashed' }))
    await house.clock.advance(6 * MINUTE)
    await house.windows.sweep()
    house.windows.seen(await recordOf(house, uuid), house.clock.now())
    await house.clock.advance(0)
    expect((await recordOf(house, uuid)).row).toMatchObject({
      status: 'crashed',
      last_seen_at: house.clock.now(),
    })
    await house.clock.advance(DAY)
    await house.windows.sweep()
    expect((await recordOf(house, uuid)).row.status).toBe('closed')
  })

  test('one sweep takes up more windows than one page of a scan', async () => {
    const { house, app } = await opened(undefined, { limits: { WINDOWS_PER_APP: 256 } })
    for (let more = 0; more < 220; more++) await house.windows.open('ada', { app_id: app.app_id })
    await house.clock.advance(5 * MINUTE)
    await house.windows.sweep()
    const listed = await house.store.scan(collection, 'dueAt', { to: house.clock.now(), limit: 1 })
    expect(listed.rows).toEqual([])
    await house.clock.advance(DAY)
    await house.windows.sweep()
    expect(house.emittedOf('close_view')).toHaveLength(221)
  })
})
