import { type Grants, refuse } from '@svc/contract'
import { all, type StoreRecord } from '@svc/state'
import {
  apps,
  DRAFT_VERSION,
  type InstallRow,
  installId,
  installs,
  type VersionRow,
  versions,
} from '../catalog/records.ts'
import { deleteAppFiles } from '../data/app-files/drop.ts'
import type { BytesParts } from '../data/app-files/uses.ts'
import { deleteItems } from '../data/storage/items.ts'
import { spaceOf } from '../data/storage/space.ts'
import { deleteFiles } from '../data/uploads/drop.ts'
import { declaredIn } from '../plugins/deployments/declared.ts'
import { notifyToolsChanged, readPlugs } from './agree.ts'
import { readGrants } from './grants.ts'
import { findVersion, noSuchApp } from './own-app.ts'
import type { AppNeeds, AppServices } from './services.ts'

/** What a user's data in an app are deleted with. */
type Parts = BytesParts & Pick<AppServices, 'approvals'>

/** Deletes what a user keeps in an app that he has no more: uploads, files, values and answers about its tools. */
export async function deleteAppData(services: Parts, userId: string, appId: string): Promise<void> {
  const space = spaceOf('app', { userId, window: { row: { app_id: appId } } })
  await deleteFiles(services, { userId, appId })
  await deleteAppFiles(services, space)
  await deleteItems(services.store, space)
  await services.approvals.forget(userId, appId)
}

const tooMany = (max: number) =>
  refuse('quota_exceeded', `a user may have at most ${max} apps installed`, {
    limit: 'INSTALLS_PER_USER',
    max,
    hint: 'Uninstall one of them.',
  })

/**
 * Gives a user an install of an app, unless there is one: then that one stays as it is, and `inserted` is false. Errors:
 * `quota_exceeded` where the user has `max` already.
 */
export async function insertInstall(
  services: AppNeeds,
  userId: string,
  { id: version_id, row: { app_id, version } }: StoreRecord<VersionRow>,
  grants: Grants,
  max?: number,
): Promise<{ readonly record: StoreRecord<InstallRow>; readonly inserted: boolean }> {
  const id = installId(userId, app_id)
  const row = {
    install_id: services.newId('install'),
    user_id: userId,
    app_id,
    version_id,
    version,
    grants,
    created_at: services.clock.now(),
  }
  const inserted = await services.store.insert(installs, id, row, {
    caps: max === undefined ? [] : [{ name: 'installs', index: 'byUser', eq: [userId], max }],
  })
  if (max !== undefined && 'full' in inserted) throw tooMany(max)
  const record = inserted.ok ? inserted.record : 'exists' in inserted ? inserted.exists : undefined
  if (!record) throw new Error('the store refused an install without naming a cap')
  services.copies.installs.drop(id, record)
  return { record, inserted: inserted.ok }
}

/** Writes an install down, in place of the one that the user has of the app. Windows stay with their version. */
async function writeInstall(
  services: AppNeeds,
  userId: string,
  version: StoreRecord<VersionRow>,
  grants: Grants,
): Promise<StoreRecord<InstallRow>> {
  for (;;) {
    const { id, row, revision } = (
      await insertInstall(services, userId, version, grants, services.limits.INSTALLS_PER_USER)
    ).record
    const next = { ...row, version_id: version.id, version: version.row.version, grants }
    const swapped = await services.store.swap(installs, id, revision, next)
    if (!swapped.ok) continue
    services.copies.installs.drop(id, swapped.record)
    return swapped.record
  }
}

/**
 * Installs a version for a user: a release for anyone, a draft for its owner, a configured app's draft for
 * everybody. Errors: `not_found`, `invalid_arg` (grants), `conflict` (a plugin is another now), `quota_exceeded`.
 */
export async function installApp(
  services: AppNeeds,
  userId: string,
  request: { readonly app_id: string; readonly version: string; readonly grants?: unknown },
  isConfigured: (appId: string) => Promise<boolean>,
): Promise<{ install_id: string }> {
  const { app_id, version: name } = request
  const grants = readGrants(request.grants)
  const app = await services.store.get(apps, app_id)
  const version = app && (await findVersion(services, app_id, name))
  const mayDraft = name !== DRAFT_VERSION || app?.row.owner === userId || (await isConfigured(app_id))
  if (!version || !mayDraft) throw noSuchApp(app_id, name)
  const old = await services.store.get(installs, installId(userId, app_id))
  const before = old?.row.grants
  const { plugs: _, plugs_never: __, ...rest } = grants
  const plugs = await readPlugs(services, userId, version.row, grants, before)
  const written = await writeInstall(services, userId, version, { ...rest, ...plugs })
  if (await isRemoved(services, version)) {
    await undoInstall(services, written, old)
    throw noSuchApp(app_id, name)
  }
  const { row } = written
  if (before) {
    services.published.withdraw(userId, pluginsOf(version.row))
    await notifyToolsChanged(services, userId, app_id)
  }
  return { install_id: row.install_id }
}

/** Whether a version was deleted, or its app: who deletes one later sees the install. */
const isRemoved = async ({ store }: AppNeeds, { id, row }: StoreRecord<VersionRow>): Promise<boolean> =>
  !(await store.get(apps, row.app_id)) || !(await store.get(versions, id))

/** Takes an install back, unless somebody wrote it since; the one before, if its version is there, stays. */
async function undoInstall(
  services: AppNeeds,
  { id, revision }: StoreRecord<InstallRow>,
  old: StoreRecord<InstallRow> | null,
): Promise<void> {
  const { copies, store } = services
  const before = old && (await store.get(versions, old.row.version_id))
  if (old && before && !(await isRemoved(services, before))) await store.swap(installs, id, revision, old.row)
  else await store.remove(installs, id, revision)
  copies.installs.drop(id)
}

/** The published plugins that a version declares. */
const pluginsOf = ({ manifest }: VersionRow) =>
  new Set(declaredIn(manifest).all.map(({ tool_id }) => tool_id))

/** The installs of a user, oldest first. */
export const installsOf = ({ store }: Pick<AppNeeds, 'store'>, userId: string) =>
  all(store, installs, 'byUser', { eq: [userId] })

/**
 * Removes an install of this user, then closes its windows, cancels its jobs, ends its sessions and calls, and deletes
 * its files and values. `decline` is stored first, so that a configured app does not come back in between. Errors:
 * `not_found`.
 */
export async function uninstallApp(
  services: AppNeeds,
  userId: string,
  publicId: string,
  decline: (appId: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const found = (await installsOf(services, userId)).find(({ row }) => row.install_id === publicId)
    if (!found) throw refuse('not_found', `there is no install ${JSON.stringify(publicId)} of this user`)
    await decline(found.row.app_id)
    if (!(await services.store.remove(installs, found.id, found.revision))) continue
    services.copies.installs.drop(found.id)
    const version = await services.copies.versions.get(found.row.version_id)
    if (version) services.published.withdraw(userId, pluginsOf(version.row))
    await services.windows.closeAll(userId, found.row.app_id, 'uninstalled')
    await services.endInstall(userId, found.row.app_id)
    await deleteAppData(services, userId, found.row.app_id)
    return
  }
}
