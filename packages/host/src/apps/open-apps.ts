import type { Manifest } from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import { type AppRow, apps, type InstallRow, installId, type VersionRow } from '../catalog/records.ts'
import type { Pieces } from '../data/app-files/pieces.ts'
import { openSearch } from '../kernel/search.ts'
import { entryUrl } from '../windows/bundle-url.ts'
import { agree } from './agree.ts'
import type { Apps, ConfiguredApp } from './apps.ts'
import { openConfigured } from './configured.ts'
import type { DevSource } from './dev-source.ts'
import { installApp, uninstallApp } from './install.ts'
import { installedApps, withRequested } from './installed.ts'
import { type Lack, lacksOf } from './lacks.ts'
import { ownApp } from './own-app.ts'
import { ownApps, ownReleases } from './own-lists.ts'
import { pushDraft } from './push.ts'
import { registerApp } from './register.ts'
import { releaseDraft } from './release.ts'
import { refuseRemoved, removeApp, removeRelease } from './remove.ts'
import type { AppNeeds } from './services.ts'
import { versionArchive } from './version-archive.ts'

/** The apps of a host, with what its other services need of them. */
export interface OpenApps extends Apps {
  /** What was pushed as a version of an app of its owner, as a tar archive. Errors: `not_found`. */
  archive(userId: string, appId: string, version: string): Promise<Pieces>
  /** What an app would miss on this host, by its manifest. */
  lacks(userId: string, manifest: Manifest): Promise<Lack[]>
  /** The user's install of an app, installing a configured app on first sight; `null` when there is none. */
  installOf(userId: string, appId: string): Promise<StoreRecord<InstallRow> | null>
  /** What serves the files of a configured app in place of its folder; `null`: nothing does. */
  devSource(appId: string): DevSource | null
  /** The app's record, whoever owns it. */
  app(appId: string): Promise<StoreRecord<AppRow> | null>
  /** The absolute or root-relative URL of a version's entry file for one window; `null` while the file is not there. */
  entryUrl(version: VersionRow, windowUuid: string): string | null
}

/** Makes the apps of a host, the configured ones included; there is nothing to close. */
export function openApps(services: AppNeeds, configured: readonly ConfiguredApp[] = []): OpenApps {
  const offered = openConfigured(services, configured)
  const isConfigured = async (appId: string) => (await offered.load()).has(appId)

  async function installOf(userId: string, appId: string) {
    return (await services.copies.installs.get(installId(userId, appId))) ?? offered.offer(userId, appId)
  }

  async function installed(userId: string) {
    for (const appId of (await offered.load()).keys()) await installOf(userId, appId)
    return installedApps(services, userId)
  }

  return {
    ready: async () => void (await offered.load()),
    register: (userId, app) => registerApp(services, userId, app),
    own: (userId, query) => ownApps(services, userId, query),
    releases: (userId, appId, query) => ownReleases(services, userId, appId, query),
    archive: (userId, appId, version) => versionArchive(services, userId, appId, version),
    lacks: (userId, manifest) => lacksOf(services, userId, manifest),
    async pushDraft(userId, appId, push) {
      await ownApp(services, userId, appId)
      const { version_id, version, digest } = await pushDraft(services, { appId, owner: userId }, push)
      await refuseRemoved(services, appId)
      return { version_id, version, digest }
    },
    async release(userId, appId, version, force) {
      const released = await releaseDraft(services, userId, appId, { version, force })
      await refuseRemoved(services, appId)
      return released
    },
    remove: (userId, appId) => removeApp(services, userId, appId),
    removeRelease: (userId, appId, version) => removeRelease(services, userId, appId, version),
    install: (userId, install) => installApp(services, userId, install, isConfigured),
    uninstall: (userId, publicId) =>
      uninstallApp(services, userId, publicId, (appId) => offered.decline(userId, appId)),
    agree: (userId, windowUuid, answer) => agree(services, userId, windowUuid, answer),
    installed,
    async installs(userId, search) {
      const isFound = openSearch(search)
      const found = (await installed(userId)).filter(({ app_id, slug, name }) =>
        isFound([app_id, slug, name]),
      )
      return withRequested(services, userId, found, offered.problemOf)
    },
    installOf,
    devSource: offered.devSource,
    app: (appId) => services.store.get(apps, appId),
    entryUrl: (version, windowUuid) => entryUrl(services, version, windowUuid),
    reload: (dir) => offered.reload(dir),
    reportProblem: offered.reportProblem,
  }
}
