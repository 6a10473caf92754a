import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect, it } from 'vitest'
import { states } from '../catalog/records.ts'
import { windows } from '../catalog/window-row.ts'
import { refusal } from '../testing/services.ts'
import { opened, recordOf } from '../testing/windows.ts'
import { forgetClosedWindows } from './close.ts'

const state = { entries: [['k', '1', 1]], changes: 1 } as const

it('a window that closes takes its state along, and its record an hour later', async () => {
  const { services, window } = await opened()
  const { window_uuid: uuid } = window
  const kept = await opened()
  await services.store.insert(states, uuid, state)
  await services.windows.close('ada', uuid, null)
  expect(await services.store.get(states, uuid)).toBeNull()
  // A call that was under way while the window closed.
  await services.store.insert(states, uuid, state)

  await services.clock.advance(limits.CLOSED_WINDOW_KEEP_MS - 1)
  await forgetClosedWindows(services)
  expect((await recordOf(services, uuid)).row.status).toBe('closed')
  await services.clock.advance(1)
  await forgetClosedWindows(services)
  expect([await services.store.get(windows, uuid), await services.store.get(states, uuid)]).toEqual([
    null,
    null,
  ])
  expect(await refusal(services.windows.token('ada', uuid))).toMatch(/^not_found/)

  await kept.services.clock.advance(limits.CLOSED_WINDOW_KEEP_MS)
  await forgetClosedWindows(kept.services)
  expect((await recordOf(kept.services, kept.window.window_uuid)).row.status).toBe('open')
})

it('closing does not fail because the state cannot be forgotten', async () => {
  const { services, window } = await opened()
  await services.store.insert(states, window.window_uuid, state)
  const { remove } = services.store
  services.store.remove = async () => {
    throw new Error('the store is away')
  }
  await services.windows.close('ada', window.window_uuid, null)
  services.store.remove = remove
  expect(services.emittedOf('close_view')).toHaveLength(1)
  await services.clock.advance(limits.CLOSED_WINDOW_KEEP_MS)
  await forgetClosedWindows(services)
  expect(await services.store.get(states, window.window_uuid)).toBeNull()
})

verifies('kept.sweeps', 'forgets all windows that are due, page by page', async () => {
  const { services, app, window } = await opened()
  const uuids = [window.window_uuid]
  for (let n = 0; n < 4; n += 1)
    uuids.push((await services.windows.open('ada', { app_id: app.app_id })).window_uuid)
  for (const uuid of uuids) await services.windows.close('ada', uuid, null)
  await services.clock.advance(limits.CLOSED_WINDOW_KEEP_MS)
  const few = { ...services, limits: { ...limits, CLEAN_RECORDS_MAX: 2 } }
  await forgetClosedWindows(few)
  expect((await services.store.scan(windows, 'closedAt', { limit: 10 })).rows).toEqual([])
})

verifies('kept.payload', 'a window that closes keeps no payload', async () => {
  const { services, app } = await opened()
  const payload = { text: 'a long one' }
  const { window_uuid } = await services.windows.open('ada', { app_id: app.app_id, payload })
  expect((await recordOf(services, window_uuid)).row.payload).toEqual(payload)
  await services.windows.close('ada', window_uuid, null)
  expect((await recordOf(services, window_uuid)).row.payload).toBeUndefined()
})
