import { expect } from 'vitest'
import { type WindowRecord, windows } from '../catalog/window-row.ts'

import { installedDraft, type TestServices, type TestServicesOptions, testServices } from './services.ts'

/** A host with an app of ada's and one open window of it. */
export async function opened(view?: string, options: TestServicesOptions = {}) {
  const services = testServices(options)
  const app = await installedDraft(services)
  const window = await services.windows.open('ada', { app_id: app.app_id, ...(view && { view }) })
  return { services, app, window }
}

/** What an entry URL of a window looks like. */
export const entryOf = (digest: string, uuid: string): unknown =>
  expect.stringMatching(
    new RegExp(`^/api/v1/svc-apps/bundles/${digest}/index\\.html\\?window=${uuid}\\.[\\w-]{22}$`),
  )

/** The record of a window, from the store. */
export async function recordOf(services: TestServices, uuid: string): Promise<WindowRecord> {
  const record = await services.store.get(windows, uuid)
  if (!record) throw new Error(`no window ${uuid}`)
  return record
}
