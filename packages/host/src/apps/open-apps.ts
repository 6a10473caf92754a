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

/** Makes the apps of a host, the configured ones included; it opens nothing that would have to be closed. */
export function openApps(services: AppParts, configured: readonly ConfiguredApp[] = []): Apps {
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
    async pushDraft(userId, appId, push) {
      await ownApp(services, userId, appId)
      const { version_id, version, digest } = await pushDraft(services, { appId, owner: userId }, push)
      return { version_id, version, digest }
    },
    release: (userId, appId, version) => releaseDraft(services, userId, appId, version),
    remove: (userId, appId) => removeApp(services, userId, appId),
    removeRelease: (userId, appId, version) => removeRelease(services, userId, appId, version),
    install: (userId, install) => installApp(services, userId, install, isConfigured),
    uninstall: (userId, publicId) =>
      uninstallApp(services, userId, publicId, (appId) => offered.decline(userId, appId)),
    agree: (userId, windowUuid, answer) => agree(services, userId, windowUuid, answer),
    installed,
    installs: async (userId) => withAsked(services, userId, await installed(userId), offered.problemOf),
    installOf,
    app: (appId) => services.store.get(apps, appId),
    entryUrl: (version, windowUuid) => entryUrl(services, version, windowUuid),
    reload: (dir) => offered.reload(dir),
    reportBuild: (dir, problem) => offered.reportBuild(dir, problem),
  }
}
