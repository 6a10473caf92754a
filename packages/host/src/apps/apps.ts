import type { BuildProblem, Grants, Manifest } from '@svc/contract'
import { apps, installId, type VersionRow } from '../catalog/records.ts'
import type { ListQuery } from '../kernel/list-page.ts'
import { openSearch } from '../kernel/search.ts'
import { entryUrl } from '../windows/bundle-url.ts'
import { agree, type UserAnswer } from './agree.ts'
import { openConfigured } from './configured.ts'
import type { DevSource } from './dev-source.ts'
import { installApp, uninstallApp } from './install.ts'
import { type AppPlug, installedApps, withRequested } from './installed.ts'
import { lacksOf } from './lacks.ts'
import { ownApp } from './own-app.ts'
import { ownApps, ownReleases } from './own-lists.ts'
import { pushDraft } from './push.ts'
import { registerApp } from './register.ts'
import { releaseDraft } from './release.ts'
import { refuseRemoved, removeApp, removeRelease } from './remove.ts'
import type { AppNeeds } from './services.ts'
import { versionArchive } from './version-archive.ts'

/** What a push brings: the manifest as its author wrote it, and the files of the bundle by path. */
export interface Push {
  /** The manifest, as its author wrote it. */
  readonly manifest: unknown
  /** The files of the bundle: path → bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** An app that the operator configured: the folder of its built bundle with `manifest.json` in it. */
export interface ConfiguredApp {
  /** The folder with `manifest.json` and the files of the bundle. */
  readonly dir: string
  /** What every user grants it; which plugins of others may run is each user's own to say. Left out: nothing. */
  readonly grants?: Omit<Grants, 'plugs' | 'plugs_never'>
  /** Serves its files while somebody develops it, in place of those of the folder. In the harness alone. */
  readonly dev?: DevSource
}

/** One row of a user's list of apps. */
export interface InstalledApp {
  /** The id of the install. */
  readonly install_id: string
  /** The id of the app: what `windows.open` takes. */
  readonly app_id: string
  /** Its slug, unique among the apps of its owner. */
  readonly slug: string
  /** Its name in the manifest. */
  readonly name: string
  /** The version that is installed; `draft` for the working draft. */
  readonly version: string
  /** The id of that version. */
  readonly version_id: string
  /** What the user granted. */
  readonly grants: Grants
  /** Its views, by `name`; the `default` one opens where none is named. */
  readonly views: readonly {
    /** The name of the view: what `windows.open` takes. */
    readonly name: string
    /** Its title in the manifest. */
    readonly title?: string
    /** Whether it opens where no view is named. */
    readonly default?: boolean
  }[]
  /** When it was installed, RFC 3339 in UTC. */
  readonly created_at: string
}

/** One row of what a user installed, with what it may do and what an update would change. */
export interface AppInstall extends InstalledApp {
  /** The grants that the manifest of the installed version asks for. */
  readonly asks: Grants
  /** The plugins that the installed version declares. */
  readonly plugs: readonly AppPlug[]
  /** The tools marked as destructive that the user allowed it for good. */
  readonly approved: readonly { readonly tool_id: string; readonly tool: string }[]
  /** The version of the newest release; `null`: none was ever made. */
  readonly latest_release: string | null
  /** What is wrong with it while it is developed, as `reportProblem` told; `null`: nothing is. */
  readonly build_problem: BuildProblem | null
  /** The newest release with what it asks for, where it is newer than what is installed; never beside a draft. */
  readonly newer: {
    readonly version: string
    readonly asks: Grants
    readonly plugs: readonly AppPlug[]
  } | null
}

/** A version as its owner finds it again. */
export interface OwnVersion {
  /** The id of the version. */
  readonly version_id: string
  /** SemVer; `0.0.0-draft` for the working draft. */
  readonly version: string
  /** Its name in the manifest. */
  readonly name: string
  /** SHA-256 over the app, the manifest and every file. */
  readonly digest: string
  /** How many files its bundle has. */
  readonly files: number
  /** The bytes of these files. */
  readonly bytes: number
}

/** An app as its owner finds it again. */
export interface OwnApp {
  /** The id of the app. */
  readonly app_id: string
  /** Its slug, unique among the apps of its owner. */
  readonly slug: string
  /** The name under which it was registered. */
  readonly name: string
  /** What was pushed last, and when (RFC 3339 in UTC); `null`: nothing was. */
  readonly draft: (OwnVersion & { readonly pushed_at: string }) | null
  /** The version of the newest release; `null`: none was ever made. */
  readonly latest_release: string | null
  /** When it was registered, RFC 3339 in UTC. */
  readonly created_at: string
}

/** One page of the apps of an owner. */
export interface OwnAppPage {
  /** The apps of this page. */
  readonly apps: readonly OwnApp[]
  /** What the next page is asked with; `null` after the last. */
  readonly next_cursor: string | null
}

/** A release as its owner finds it again. */
export interface Release extends OwnVersion {
  /** By its `tool_id` the version of each plugin that it keeps. */
  readonly pins: Readonly<Record<string, string>>
  /** When it was made, RFC 3339 in UTC. */
  readonly released_at: string
}

/** One page of the releases of an app. */
export interface ReleasePage {
  /** The releases of this page. */
  readonly releases: readonly Release[]
  /** What the next page is asked with; `null` after the last. */
  readonly next_cursor: string | null
}

/** Makes the apps of a host, the configured ones included; there is nothing to close. */
export function openApps(services: AppNeeds, configured: readonly ConfiguredApp[] = []) {
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
    /** Waits until the configured apps are read and pushed; rejects with a sentence that names the folder. */
    ready: async () => void (await offered.load()),
    /** Registers an app. Errors: `invalid_arg` (slug, name), `conflict` (the owner has that slug), `quota_exceeded`. */
    register: (userId: string, app: { readonly slug: string; readonly name: string }) =>
      registerApp(services, userId, app),
    /** The apps that a user registered, by slug, searched and page by page. Errors: `invalid_arg` (the cursor). */
    own: (userId: string, query: ListQuery) => ownApps(services, userId, query),
    /** The releases of an app of its owner, the highest version first. Errors: `not_found`, `invalid_arg` (the cursor). */
    releases: (userId: string, appId: string, query: ListQuery) =>
      ownReleases(services, userId, appId, query),
    /** What was pushed as a version of an app of its owner, as a tar archive. Errors: `not_found`. */
    archive: (userId: string, appId: string, version: string) =>
      versionArchive(services, userId, appId, version),
    /** What an app would miss on this host, by its manifest. */
    lacks: (userId: string, manifest: Manifest) => lacksOf(services, userId, manifest),
    /** Pushes the working draft. Errors: `not_found`, `invalid_arg` (manifest, a path, a cap), `quota_exceeded`. */
    async pushDraft(userId: string, appId: string, push: Push) {
      await ownApp(services, userId, appId)
      const { version_id, version, digest } = await pushDraft(services, { appId, owner: userId }, push)
      await refuseRemoved(services, appId)
      return { version_id, version, digest }
    },
    /**
     * Freezes the draft as a release; `pins` are the versions of the published plugins that it keeps, by `tool_id`.
     * Errors: `not_found`, `invalid_arg` (SemVer, a plugin that cannot be pinned, one that is required and not here unless
     * `force` says so), `conflict`, `bundle_not_ready`.
     */
    async release(userId: string, appId: string, version: string, force?: boolean) {
      const released = await releaseDraft(services, userId, appId, { version, force })
      await refuseRemoved(services, appId)
      return released
    },
    /**
     * Deletes an app for good, from everybody who installed it, with its draft and its releases. Errors: `not_found`.
     */
    remove: (userId: string, appId: string) => removeApp(services, userId, appId),
    /** Deletes a release that nobody has installed or open. Errors: `not_found`, `invalid_arg`, `conflict`. */
    removeRelease: (userId: string, appId: string, version: string) =>
      removeRelease(services, userId, appId, version),
    /** Installs a version with grants; a second install of the same app replaces both. Errors: `not_found`, `invalid_arg`. */
    install: (
      userId: string,
      install: { readonly app_id: string; readonly version: string; readonly grants?: unknown },
    ) => installApp(services, userId, install, isConfigured),
    /** Removes an install, closes its windows and cancels its jobs. Errors: `not_found`. */
    uninstall: (userId: string, publicId: string) =>
      uninstallApp(services, userId, publicId, (appId) => offered.decline(userId, appId)),
    /**
     * Says whether a plugin of another may run for the app of a window: there alone, always or never. An answer takes the
     * place of the one before. Errors: `not_found` (the window, the plugin), `conflict` (it is another version now).
     */
    agree: (userId: string, windowUuid: string, answer: UserAnswer) =>
      agree(services, userId, windowUuid, answer),
    /** The user's apps by name, the configured ones included. */
    installed,
    /** The same with what each app asks for, and what a newer release of it would; those that a search finds. */
    async installs(userId: string, search?: string) {
      const isFound = openSearch(search)
      const found = (await installed(userId)).filter(({ app_id, slug, name }) =>
        isFound([app_id, slug, name]),
      )
      return withRequested(services, userId, found, offered.problemOf)
    },
    /** The user's install of an app, installing a configured app on first sight; `null` when there is none. */
    installOf,
    /** What serves the files of a configured app in place of its folder; `null`: nothing does. */
    devSource: offered.devSource,
    /** The app's record, whoever owns it. */
    app: (appId: string) => services.store.get(apps, appId),
    /** The absolute or root-relative URL of a version's entry file for one window; `null` while the file is not there. */
    entryUrl: (version: VersionRow, windowUuid: string) => entryUrl(services, version, windowUuid),
    /**
     * Reads a configured app's folder again and pushes it as the draft: for a harness that watches it. A problem of its
     * build is over then.
     */
    reload: (dir: string) => offered.reload(dir),
    /**
     * Shows what is wrong with a part of a configured app over its windows, which stay as they were, until `null` is told
     * of that part; a build is good again with `reload` too. Control characters become spaces, and texts longer than
     * `ERROR_MESSAGE_MAX_CHARS` are cut. Errors: `not_found`.
     */
    reportProblem: offered.reportProblem,
  }
}

/**
 * Apps, their versions and installs: the routes of the table and their programmatic twins.
 * Every method that serves a caller takes the user's id; what is not the caller's is `not_found`.
 */
export type Apps = ReturnType<typeof openApps>
