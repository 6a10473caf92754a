import { letAppFilesGo } from '../data/app-files/leave.ts'
import { letItemsGo } from '../data/storage/leave.ts'
import { spaceOf } from '../data/storage/scope.ts'
import { letFilesGo } from '../data/uploads/drop.ts'
import type { AppServices } from './services.ts'

/** What a user's data in an app are deleted with. */
type Parts = Pick<AppServices, 'approvals' | 'blobs' | 'clock' | 'store'>

/** Deletes what a user keeps in an app that he has no more: uploads, files, values and answers about its tools. */
export async function letDataGo(services: Parts, userId: string, appId: string): Promise<void> {
  const space = spaceOf('app', { userId, window: { row: { app_id: appId } } })
  await letFilesGo(services, { userId, appId })
  await letAppFilesGo(services, space)
  await letItemsGo(services.store, space)
  await services.approvals.forget(userId, appId)
}
