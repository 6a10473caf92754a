import type { BuildProblem, Grants } from '@svc/contract'
import type { ListQuery } from '../kernel/list-page.ts'
import type { UserAnswer } from './agree.ts'
import type { ProblemPart, ToldProblem } from './build-problems.ts'
import type { DevSource } from './dev-source.ts'
import type { AppPlug } from './installed.ts'

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
  readonly approved: readonly {
    /** The id of the plugin. */
    readonly tool_id: string
    /** The name of the tool. */
    readonly tool: string
  }[]
  /** The version of the newest release; `null`: none was ever made. */
  readonly latest_release: string | null
  /** What is wrong with it while it is developed, as `reportProblem` told; `null`: nothing is. */
  readonly build_problem: BuildProblem | null
  /** The newest release with what it asks for, where it is newer than what is installed; never beside a draft. */
  readonly newer: {
    /** SemVer. */
    readonly version: string
    /** The grants that its manifest asks for. */
    readonly asks: Grants
    /** The plugins that it declares. */
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
  readonly draft:
    | (OwnVersion & {
        /** When it was pushed. */
        readonly pushed_at: string
      })
    | null
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

/** A draft that was pushed. */
export interface PushedDraft {
  /** The id of the version. */
  readonly version_id: string
  /** `0.0.0-draft`. */
  readonly version: string
  /** SHA-256 over the app, the manifest and every file. */
  readonly digest: string
}

/** A release that was made. */
export interface MadeRelease {
  /** The id of the version. */
  readonly version_id: string
  /** SemVer. */
  readonly version: string
  /** By its `tool_id` the version of each plugin that it keeps. */
  readonly pins: Readonly<Record<string, string>>
}

/**
 * Apps, their versions and installs: the routes of the table and their programmatic twins.
 * Every method that serves a caller takes the user's id; what is not the caller's is `not_found`.
 */
export interface Apps {
  /** Waits until the configured apps are read and pushed; rejects with a sentence that names the folder. */
  ready(): Promise<void>
  /** Registers an app. Errors: `invalid_arg` (slug, name), `conflict` (the owner has that slug), `quota_exceeded`. */
  register(userId: string, app: { readonly slug: string; readonly name: string }): Promise<{ app_id: string }>
  /** The apps that a user registered, by slug, searched and page by page. Errors: `invalid_arg` (the cursor). */
  own(userId: string, query: ListQuery): Promise<OwnAppPage>
  /** The releases of an app of its owner, the highest version first. Errors: `not_found`, `invalid_arg` (the cursor). */
  releases(userId: string, appId: string, query: ListQuery): Promise<ReleasePage>
  /** Pushes the working draft. Errors: `not_found`, `invalid_arg` (manifest, a path, a cap), `quota_exceeded`. */
  pushDraft(userId: string, appId: string, push: Push): Promise<PushedDraft>
  /**
   * Freezes the draft as a release; `pins` are the versions of the published plugins that it keeps, by `tool_id`.
   * Errors: `not_found`, `invalid_arg` (SemVer, a plugin that cannot be pinned, one that is required and not here unless
   * `force` says so), `conflict`, `bundle_not_ready`.
   */
  release(userId: string, appId: string, version: string, force?: boolean): Promise<MadeRelease>
  /**
   * Deletes an app for good, from everybody who installed it, with its draft and its releases. Errors: `not_found`.
   */
  remove(userId: string, appId: string): Promise<void>
  /** Deletes a release that nobody has installed or open. Errors: `not_found`, `invalid_arg`, `conflict`. */
  removeRelease(userId: string, appId: string, version: string): Promise<void>
  /** Installs a version with grants; a second install of the same app replaces both. Errors: `not_found`, `invalid_arg`. */
  install(
    userId: string,
    install: { readonly app_id: string; readonly version: string; readonly grants?: unknown },
  ): Promise<{ install_id: string }>
  /** Removes an install, closes its windows and cancels its jobs. Errors: `not_found`. */
  uninstall(userId: string, installId: string): Promise<void>
  /**
   * Says whether a plugin of another may run for the app of a window: there alone, always or never. An answer takes the
   * place of the one before. Errors: `not_found` (the window, the plugin), `conflict` (it is another version now).
   */
  agree(userId: string, windowUuid: string, answer: UserAnswer): Promise<void>
  /** The user's apps by name, the configured ones included. */
  installed(userId: string): Promise<InstalledApp[]>
  /** The same with what each app asks for, and what a newer release of it would; those that a search finds. */
  installs(userId: string, search?: string): Promise<AppInstall[]>
  /**
   * Reads a configured app's folder again and pushes it as the draft: for a harness that watches it. A problem of its
   * build is over then.
   */
  reload(dir: string): Promise<{ app_id: string; version_id: string; changed: boolean }>
  /**
   * Shows what is wrong with a part of a configured app over its windows, which stay as they were, until `null` is told
   * of that part; a build is good again with `reload` too. Control characters become spaces, and texts longer than
   * `ERROR_MESSAGE_MAX_CHARS` are cut. Errors: `not_found`.
   */
  reportProblem(dir: string, part: ProblemPart, problem: ToldProblem | null): Promise<void>
}
