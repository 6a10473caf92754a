import { installedDraft, type TestHouse, testHouse } from '../apps/test-house.ts'
import { windows } from '../records.ts'
import type { WindowRecord } from './windows.ts'

/** A house with an app of ada's and one open window of it. */
export async function opened(view?: string) {
  const house = testHouse()
  const app = await installedDraft(house)
  const window = await house.windows.open('ada', { app_id: app.app_id, ...(view && { view }) })
  return { house, app, window }
}

/** The record of a window, from the store. */
export async function recordOf(house: TestHouse, uuid: string): Promise<WindowRecord> {
  const record = await house.store.get(windows, uuid)
  if (!record) throw new Error(`no window ${uuid}`)
  return record
}
