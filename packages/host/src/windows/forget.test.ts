import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect, it } from 'vitest'
import { states, windows } from '../catalog/records.ts'
import { refusal } from '../testing/house.ts'
import { opened, recordOf } from '../testing/windows.ts'
import { forgetClosedWindows } from './forget.ts'

const state = { entries: [['k', '1', 1]], changes: 1 } as const

it('a window that closes takes its state along, and its record an hour later', async () => {
  const { house, window } = await opened()
  const { window_uuid: uuid } = window
  const kept = await opened()
  await house.store.insert(states, uuid, state)
  await house.windows.close('ada', uuid, null)
  expect(await house.store.get(states, uuid)).toBeNull()
  // A call that was under way while the window closed.
  await house.store.insert(states, uuid, state)

  await house.clock.advance(limits.CLOSED_WINDOW_KEEP_MS - 1)
  await forgetClosedWindows(house)
  expect((await recordOf(house, uuid)).row.status).toBe('closed')
  await house.clock.advance(1)
  await forgetClosedWindows(house)
  expect([await house.store.get(windows, uuid), await house.store.get(states, uuid)]).toEqual([null, null])
  expect(await refusal(house.windows.token('ada', uuid))).toMatch(/^not_found/)

  await kept.house.clock.advance(limits.CLOSED_WINDOW_KEEP_MS)
  await forgetClosedWindows(kept.house)
  expect((await recordOf(kept.house, kept.window.window_uuid)).row.status).toBe('open')
})

it('closing does not fail because the state cannot be forgotten', async () => {
  const { house, window } = await opened()
  await house.store.insert(states, window.window_uuid, state)
  const { remove } = house.store
  house.store.remove = async () => {
    throw new Error('the store is away')
  }
  await house.windows.close('ada', window.window_uuid, null)
  house.store.remove = remove
  expect(house.emittedOf('close_view')).toHaveLength(1)
  await house.clock.advance(limits.CLOSED_WINDOW_KEEP_MS)
  await forgetClosedWindows(house)
  expect(await house.store.get(states, window.window_uuid)).toBeNull()
})

verifies('kept.sweeps', 'forgets all windows that are due, page by page', async () => {
  const { house, app, window } = await opened()
  const uuids = [window.window_uuid]
  for (let n = 0; n < 4; n += 1)
    uuids.push((await house.windows.open('ada', { app_id: app.app_id })).window_uuid)
  for (const uuid of uuids) await house.windows.close('ada', uuid, null)
  await house.clock.advance(limits.CLOSED_WINDOW_KEEP_MS)
  const few = { ...house, limits: { ...limits, CLEAN_RECORDS_MAX: 2 } }
  await forgetClosedWindows(few)
  expect((await house.store.scan(windows, 'closedAt', { limit: 10 })).rows).toEqual([])
})

verifies('kept.payload', 'a window that closes keeps no payload', async () => {
  const { house, app } = await opened()
  const payload = { text: 'a long one' }
  const { window_uuid } = await house.windows.open('ada', { app_id: app.app_id, payload })
  expect((await recordOf(house, window_uuid)).row.payload).toEqual(payload)
  await house.windows.close('ada', window_uuid, null)
  expect((await recordOf(house, window_uuid)).row.payload).toBeUndefined()
})
