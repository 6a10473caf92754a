import { expect } from 'vitest'
import { windows } from '../catalog/records.ts'
import type { WindowRecord } from '../windows/windows.ts'
import { installedDraft, type TestHouse, type TestHouseOptions, testHouse } from './house.ts'

/** A house with an app of ada's and one open window of it. */
export async function opened(view?: string, options: TestHouseOptions = {}) {
  const house = testHouse(options)
  const app = await installedDraft(house)
  const window = await house.windows.open('ada', { app_id: app.app_id, ...(view && { view }) })
  return { house, app, window }
}

/** What an entry URL of a window looks like. */
export const entryOf = (digest: string, uuid: string): unknown =>
  expect.stringMatching(
    new RegExp(`^/api/v1/svc-apps/bundles/${digest}/index\\.html\\?window=${uuid}\\.[\\w-]{22}$`),
  )

/** The record of a window, from the store. */
export async function recordOf(house: TestHouse, uuid: string): Promise<WindowRecord> {
  const record = await house.store.get(windows, uuid)
  if (!record) throw new Error(`no window ${uuid}`)
  return record
}
