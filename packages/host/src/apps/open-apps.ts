import { apps, installId } from '../catalog/records.ts'
import { entryUrl } from '../windows/bundle-url.ts'
import { agree } from './agree.ts'
import type { Apps, ConfiguredApp } from './apps.ts'
import { openConfigured } from './configured.ts'
import { installApp, uninstallApp } from './install.ts'
import { installedApps, withAsked } from './installed.ts'
import { type AppParts, ownApp } from './parts.ts'
import { pushDraft } from './push.ts'
import { registerApp } from './register.ts'
import { releaseDraft } from './release.ts'
import { removeApp, removeRelease } from './remove.ts'

/** Makes the apps of a house, the configured ones included; it opens nothing that would have to be closed. */
export function openApps(house: AppParts, configured: readonly ConfiguredApp[] = []): Apps {
  const offered = openConfigured(house, configured)
  const isConfigured = async (appId: string) => (await offered.load()).has(appId)

  async function installOf(userId: string, appId: string) {
    return (await house.copies.installs.get(installId(userId, appId))) ?? offered.offer(userId, appId)
  }

  async function installed(userId: string) {
    for (const appId of (await offered.load()).keys()) await installOf(userId, appId)
    return installedApps(house, userId)
  }

  return {
    ready: async () => void (await offered.load()),
    register: (userId, app) => registerApp(house, userId, app),
    async pushDraft(userId, appId, push) {
      await ownApp(house, userId, appId)
      const { version_id, version, digest } = await pushDraft(house, { appId, owner: userId }, push)
      return { version_id, version, digest }
    },
    release: (userId, appId, version) => releaseDraft(house, userId, appId, version),
    remove: (userId, appId) => removeApp(house, userId, appId),
    removeRelease: (userId, appId, version) => removeRelease(house, userId, appId, version),
    install: (userId, install) => installApp(house, userId, install, isConfigured),
    uninstall: (userId, publicId) =>
      uninstallApp(house, userId, publicId, (appId) => offered.decline(userId, appId)),
    agree: (userId, windowUuid, answer) => agree(house, userId, windowUuid, answer),
    installed,
    installs: async (userId) => withAsked(house, userId, await installed(userId), offered.problemOf),
    installOf,
    app: (appId) => house.store.get(apps, appId),
    entryUrl: (version, windowUuid) => entryUrl(house, version, windowUuid),
    reload: (dir) => offered.reload(dir),
    reportBuild: (dir, problem) => offered.reportBuild(dir, problem),
  }
}
