import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { states } from '../catalog/records.ts'
import { windows } from '../catalog/window-row.ts'
import { opened } from '../testing/windows.ts'

verifies('kept.windows', 'who opens and closes windows all day is kept the last ones', async () => {
  const limits = { WINDOWS_OPEN_MAX: 3, CLOSED_WINDOWS_PER_USER: 5 }
  const { services, app, window } = await opened(undefined, { limits })
  const made: string[] = []
  for (let at = 0; at < 30; at += 1) {
    const { window_uuid: uuid } = await services.windows.open('ada', { app_id: app.app_id })
    made.push(uuid)
    await services.windows.close('ada', uuid, null)
    await services.store.insert(states, uuid, { entries: [], changes: 1 })
    await services.clock.advance(1)
  }
  const { rows } = await services.store.scan(windows, 'byUser', { eq: ['ada'], limit: 100 })
  expect(rows.map(({ id }) => id)).toEqual([window.window_uuid, ...made.slice(-7)])
  const left = await Promise.all(made.map((uuid) => services.store.get(states, uuid)))
  expect(left.filter(Boolean)).toHaveLength(7)
})
