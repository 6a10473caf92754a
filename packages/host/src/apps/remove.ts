import { refuse } from '@svc/contract'
import { pause } from '@svc/node'
import { all, REMOVE, type StoreRecord, update } from '@svc/state'
import {
  apps,
  DRAFT_VERSION,
  type InstallRow,
  installs,
  type VersionRow,
  versions,
} from '../catalog/records.ts'
import { openWindowsUnder } from '../catalog/window-row.ts'
import { deleteAppFiles } from '../data/app-files/drop.ts'
import { deleteItems } from '../data/storage/items.ts'
import { spaceOf } from '../data/storage/space.ts'
import { bundles, holdBundle } from './bundles.ts'
import { dropBundle } from './drop-bundles.ts'
import { uninstallApp } from './install.ts'
import { findVersion, noSuchApp, ownApp } from './own-app.ts'
import type { AppNeeds } from './services.ts'

/** Records that one scan asks for. */
const PAGE = 100

/**
 * Deletes an app for good: from everybody who installed it, with what they share in it, its draft, its releases and
 * their files. It is gone to others first, so that nobody installs it meanwhile. Errors: `not_found`.
 */
export async function removeApp(services: AppNeeds, userId: string, appId: string): Promise<void> {
  const { copies, store } = services
  await update(store, apps, appId, (row) => {
    if (row?.owner !== userId) throw noSuchApp(appId)
    return REMOVE
  })
  copies.apps.drop(appId)
  await deleteAppRest(services, appId)
}

/** Deletes what is left of an app whose record was deleted: again too, where that was interrupted. */
export async function deleteAppRest(services: AppNeeds, appId: string): Promise<void> {
  const { copies, store } = services
  await eachOf<InstallRow>(
    () => store.scan(installs, 'byApp', { eq: [appId], limit: PAGE }),
    async ({ row }) => {
      await uninstallApp(services, row.user_id, row.install_id, async () => {})
    },
  )
  const shared = spaceOf('shared', { userId: '', window: { row: { app_id: appId } } })
  await deleteAppFiles(services, shared)
  await deleteItems(store, shared)
  await eachOf<VersionRow>(
    () => store.scan(versions, 'byApp', { eq: [appId], limit: PAGE }),
    async ({ id, revision }) => {
      if (await store.remove(versions, id, revision)) copies.versions.drop(id)
    },
  )
  for (const bundle of await all(store, bundles, 'byApp', { eq: [appId] })) await dropBundle(services, bundle)
}

/**
 * Looks at an app again after a version of it was written: where it was deleted meanwhile, the version goes too. Errors:
 * `not_found`.
 */
export async function refuseRemoved(services: AppNeeds, appId: string): Promise<void> {
  if (await services.store.get(apps, appId)) return
  await deleteAppRest(services, appId)
  throw noSuchApp(appId)
}

/** Does something that takes away what a scan finds, until it finds nothing. What goes meanwhile is not a failure. */
async function eachOf<Row>(
  scan: () => Promise<{ rows: StoreRecord<Row>[] }>,
  take: (record: StoreRecord<Row>) => Promise<void>,
): Promise<void> {
  for (let { rows } = await scan(); rows.length > 0; { rows } = await scan())
    for (const record of rows) {
      await take(record)
      await pause()
    }
}

/** Deletes a release that nobody has installed or open. Errors: `not_found`, `invalid_arg` (the draft), `conflict`. */
export async function removeRelease(
  services: AppNeeds,
  userId: string,
  appId: string,
  version: string,
): Promise<void> {
  await ownApp(services, userId, appId)
  if (version === DRAFT_VERSION)
    throw refuse('invalid_arg', 'the working draft is not a release; it is deleted with its app')
  const release = await findVersion(services, appId, version)
  if (!release) throw noSuchApp(appId, version)
  if (await isInUse(services, appId, release.id)) throw inUse(version)
  const { digest } = release.row
  // Its files stay until it is known that nobody has it.
  if (!(await holdBundle(services, digest, () => removeUnused(services, release))))
    await removeUnused(services, release)
  const bundle = await services.store.get(bundles, digest)
  if (bundle) await dropBundle(services, bundle)
}

/** Deletes the row of a release, unless somebody installed or opened it in between. */
async function removeUnused(services: AppNeeds, { id, revision, row }: StoreRecord<VersionRow>) {
  if (!(await services.store.remove(versions, id, revision))) throw noSuchApp(row.app_id, row.version)
  services.copies.versions.drop(id)
  if (!(await isInUse(services, row.app_id, id))) return true
  await services.store.insert(versions, id, row)
  services.copies.versions.drop(id)
  throw inUse(row.version)
}

async function isInUse(services: AppNeeds, appId: string, versionId: string): Promise<boolean> {
  const installed = await services.store.scan(installs, 'byApp', { eq: [appId, versionId], limit: 1 })
  return (
    installed.rows.length > 0 || (await openWindowsUnder(services, 'openByVersion', [versionId])).length > 0
  )
}

const inUse = (version: string) =>
  refuse('conflict', `the release ${version} is installed or open somewhere`, {
    hint: 'Release a newer one and let its users update, or delete the app.',
  })
