import type { Geometry, Grants, Manifest, WindowStatus } from '@svc/contract'
import { collection } from './store/port.ts'

/** Somebody with a sign-in. The record's id is the user's id. */
export interface UserRow {
  readonly created_at: number
}

/** An app as its author registered it. */
export interface AppRow {
  readonly slug: string
  readonly name: string
  readonly owner: string
  readonly created_at: number
}

/** One file of a version: where its bytes are and what it is. */
export interface FileEntry {
  readonly digest: string
  readonly size: number
}

/** A version of an app: the working draft (swapped at each push) or a frozen release. */
export interface VersionRow {
  readonly app_id: string
  readonly version: string
  readonly manifest: Manifest
  /** Files of the bundle by path; a null-prototype reading is the reader's duty. */
  readonly files: Readonly<Record<string, FileEntry>>
  /** SHA-256 over manifest and files: the folder name of the bundle, so that files are immutable. */
  readonly digest: string
  /** Of a release: by its `tool_id` the version of each published plugin that it declares (spec §9.5). */
  readonly pins?: Readonly<Record<string, string>>
  readonly created_at: number
}

/** The version string of a working draft (spec §5.6). */
export const DRAFT_VERSION = '0.0.0-draft'

/** That a user has an app, at a version, with grants. The record's id is `installId(user, app)`: one a user and app. */
export interface InstallRow {
  readonly install_id: string
  readonly user_id: string
  readonly app_id: string
  readonly version_id: string
  readonly version: string
  readonly grants: Grants
  readonly created_at: number
}

/** A window. The record's id is its `window_uuid`. Times are Unix ms. */
export interface WindowRow {
  readonly user_id: string
  readonly app_id: string
  readonly version_id: string
  readonly view: string
  readonly title: string
  readonly payload?: unknown
  readonly geometry: Geometry
  readonly status: WindowStatus
  readonly opened_at: number
  readonly last_seen_at: number
  readonly closed_at: number | null
  readonly close_reason: string | null
  /** The digest of the bundle that its document was loaded from, once it said hello. */
  readonly digest?: string
  /** When the sweeper looks at it next: the end of its silence; `null` once closed. */
  readonly due_at: number | null
}

/** A value in persistent storage. A removed one stays as a tombstone, so that generations survive (decision 29). */
export interface ItemRow {
  readonly space: string
  readonly key: string
  /** JSON text; `null` marks a tombstone. */
  readonly value: string | null
  readonly etag: string
  readonly generation: number
  readonly size_bytes: number
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly tags: readonly string[] | null
  readonly updated_at: number
  readonly expires_at: number | null
}

/** The state blob of a window (spec §4.2, storage in the harness). The record's id is the window's. */
export interface StateRow {
  /** `[key, value as JSON text]`, in the order of keys: no key of a bundle becomes a property name. */
  readonly entries: readonly (readonly [key: string, value: string])[]
}

export const users = collection({ name: 'users', row: {} as UserRow, indexes: {} })
export const apps = collection({
  name: 'apps',
  row: {} as AppRow,
  indexes: { byOwner: (row) => [row.owner, row.slug] },
})
export const versions = collection({
  name: 'versions',
  row: {} as VersionRow,
  indexes: {
    byApp: (row) => [row.app_id, row.version],
    byDigest: (row) => [row.digest],
    /** Releases, in the order of SemVer as far as their numbers tell it. */
    released: (row) => (row.version === DRAFT_VERSION ? null : [row.app_id, ...semverKey(row.version)]),
  },
})
export const installs = collection({
  name: 'installs',
  row: {} as InstallRow,
  indexes: { byUser: (row) => [row.user_id, row.created_at] },
})
export const windows = collection({
  name: 'windows',
  row: {} as WindowRow,
  indexes: {
    openByUser: (row) => (row.status === 'closed' ? null : [row.user_id, row.opened_at]),
    openByView: (row) => (row.status === 'closed' ? null : [row.user_id, row.app_id, row.view]),
    openByVersion: (row) => (row.status === 'closed' ? null : [row.version_id]),
    openByDigest: (row) => (row.status === 'closed' || row.digest === undefined ? null : [row.digest]),
    closedAt: (row) => (row.closed_at === null ? null : [row.closed_at]),
    dueAt: (row) => (row.due_at === null ? null : [row.due_at]),
  },
})
export const items = collection({
  name: 'items',
  row: {} as ItemRow,
  indexes: {
    live: (row) => (row.value === null ? null : [row.space, row.key]),
    expiresAt: (row) => (row.expires_at === null ? null : [row.expires_at]),
  },
})
export const states = collection({ name: 'states', row: {} as StateRow, indexes: {} })

/** A version as parts of a key: a pre-release comes before its release. */
function semverKey(version: string): (number | boolean | string)[] {
  const [numbers = ''] = version.split(/[-+]/, 1)
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number)
  const isRelease = !version.split('+', 1)[0]?.includes('-')
  return [major, minor, patch, isRelease, version]
}

/** The id of the one install that a user has of an app. */
export const installId = (userId: string, appId: string): string => `${userId}\n${appId}`
