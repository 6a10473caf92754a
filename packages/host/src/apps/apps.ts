import type { Grants } from '@svc/contract'
import type { AppRow, InstallRow, VersionRow } from '../records.ts'
import type { StoreRecord } from '../store/port.ts'
import type { AppPlug } from './plugs.ts'

/** What a push brings: the manifest as its author wrote it, and the files of the bundle by path. */
export interface Push {
  readonly manifest: unknown
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** An app that the operator configured: the folder of its built bundle with `manifest.json` in it. */
export interface ConfiguredApp {
  readonly dir: string
  readonly grants?: Grants
}

/** One row of a user's list of apps. */
export interface InstalledApp {
  readonly install_id: string
  readonly app_id: string
  readonly slug: string
  readonly name: string
  readonly version: string
  readonly version_id: string
  readonly grants: Grants
  readonly views: readonly { readonly name: string; readonly title?: string; readonly default?: boolean }[]
  readonly created_at: string
}

/** One row of what a user installed, with what it may do and what an update would change. */
export interface AppInstall extends InstalledApp {
  /** The grants that the manifest of the installed version asks for. */
  readonly asks: Grants
  /** The plugins that the installed version declares. */
  readonly plugs: readonly AppPlug[]
  /** The newest release with what it asks for, where it is newer than what is installed; never beside a draft. */
  readonly newer: {
    readonly version: string
    readonly asks: Grants
    readonly plugs: readonly AppPlug[]
  } | null
}

/**
 * Apps, their versions and installs: the routes of design §9 and their programmatic twins.
 * Every method that serves a caller takes the user's id; what is not the caller's is `not_found`.
 */
export interface Apps {
  /** Waits until the configured apps are read and pushed; rejects with a sentence that names the folder. */
  ready(): Promise<void>
  /** Registers an app. Errors: `invalid_arg` (slug, name), `conflict` (the owner has that slug). */
  register(userId: string, app: { readonly slug: string; readonly name: string }): Promise<{ app_id: string }>
  /** Pushes the working draft. Errors: `not_found`, `invalid_arg` (manifest, a path, a cap). */
  pushDraft(
    userId: string,
    appId: string,
    push: Push,
  ): Promise<{ version_id: string; version: string; digest: string }>
  /**
   * Freezes the draft as a release; `pins` are the versions of the published plugins that it keeps, by `tool_id`.
   * Errors: `not_found`, `invalid_arg` (SemVer, a plugin that cannot be pinned), `conflict`, `bundle_not_ready`.
   */
  release(
    userId: string,
    appId: string,
    version: string,
  ): Promise<{ version_id: string; version: string; pins: Readonly<Record<string, string>> }>
  /** Installs a version with grants; a second install of the same app replaces both. Errors: `not_found`, `invalid_arg`. */
  install(
    userId: string,
    install: { readonly app_id: string; readonly version: string; readonly grants?: unknown },
  ): Promise<{ install_id: string }>
  /** Takes an install away, closes its windows and cancels its jobs. Errors: `not_found`. */
  uninstall(userId: string, installId: string): Promise<void>
  /** The user's apps, the configured ones included. */
  installed(userId: string): Promise<InstalledApp[]>
  /** The same with what each app asks for, and what a newer release of it would. */
  installs(userId: string): Promise<AppInstall[]>
  /** The user's install of an app, installing a configured app on first sight; `null` when there is none. */
  installOf(userId: string, appId: string): Promise<StoreRecord<InstallRow> | null>
  /** The app's record, whoever owns it. */
  app(appId: string): Promise<StoreRecord<AppRow> | null>
  /** The absolute or root-relative URL of a version's entry file; `null` while the entry file is not there. */
  entryUrl(version: VersionRow): string | null
  /** Reads a configured app's folder again and pushes it as the draft: for a harness that watches it. */
  reload(dir: string): Promise<{ app_id: string; version_id: string; changed: boolean }>
}
