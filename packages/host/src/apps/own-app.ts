import { refuse } from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import { type AppRow, apps, type VersionRow, versions } from '../catalog/records.ts'
import type { AppNeeds } from './services.ts'

/** The refusal for an app or version that is unknown or not the caller's: they look the same. */
export const noSuchApp = (appId: string, version?: string) =>
  refuse(
    'not_found',
    version === undefined
      ? `there is no app ${JSON.stringify(appId)} of this user`
      : `there is no version ${JSON.stringify(version)} of the app ${JSON.stringify(appId)} for this user`,
  )

/** An app of its owner. Errors: `not_found`. */
export async function ownApp(
  services: AppNeeds,
  userId: string,
  appId: string,
): Promise<StoreRecord<AppRow>> {
  const app = await services.store.get(apps, appId)
  if (app?.row.owner !== userId) throw noSuchApp(appId)
  return app
}

/** A version of an app by its name; `null` when there is none. */
export async function findVersion(
  services: AppNeeds,
  appId: string,
  version: string,
): Promise<StoreRecord<VersionRow> | null> {
  const page = await services.store.scan(versions, 'byApp', { eq: [appId, version], limit: 1 })
  return page.rows[0] ?? null
}
