import type { Grants, Manifest } from '@svc/contract'
import { collection } from '@svc/state'
import { hasManyPlugs, plugIndexes } from './plug-names.ts'

/** Somebody with a sign-in. The record's id is the user's id. */
export interface UserRow {
  readonly created_at: number
  /** Since when nothing of his is let in; left out: he is not blocked. */
  readonly blocked_at?: number
  /** Sign-ins of this instant and before are void, where the embedder says when they were made. */
  readonly signed_out_at?: number
  /** How many times he was signed out everywhere: a cookie that was made after fewer is void. */
  readonly sign_outs?: number
}

/** That the operator verified the name of a publisher. The record's id is the skeleton of the name. */
export interface PublisherRow {
  readonly user_id: string
  readonly name: string
  readonly verified_at: number
}

/** An app as its author registered it. */
export interface AppRow {
  readonly slug: string
  readonly name: string
  readonly owner: string
  readonly created_at: number
}

/** The owner of the apps that the operator configured; nobody signs in under this id. */
export const OPERATOR = 'operator'

/** One file of a version: where its bytes are and what it is. */
export interface FileEntry {
  readonly digest: string
  readonly size: number
}

/** A version of an app: the working draft (swapped at each push) or a frozen release. */
export interface VersionRow {
  /** The app that it is a version of. */
  readonly app_id: string
  /** SemVer, or `draft` for the working draft. */
  readonly version: string
  /** Its manifest. */
  readonly manifest: Manifest
  /** Files of the bundle by path; a null-prototype reading is the reader's duty. */
  readonly files: Readonly<Record<string, FileEntry>>
  /** SHA-256 over manifest and files: the folder name of the bundle, so that files are immutable. */
  readonly digest: string
  /** Of a release: by its `tool_id` the version of each published plugin that it declares. */
  readonly pins?: Readonly<Record<string, string>>
  /** When it was pushed, Unix ms. */
  readonly created_at: number
}

/** The entry of a file, read so that no name of a prototype answers. */
export const fileOf = (files: VersionRow['files'], path: string): FileEntry | undefined =>
  Object.hasOwn(files, path) ? files[path] : undefined

/** The version string of a working draft. */
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

/** A value in persistent storage. A removed one leaves no record: its space keeps the last generation. */
export interface ItemRow {
  readonly space: string
  /** Who wrote it, and whose room it takes. */
  readonly user_id: string
  readonly key: string
  /** JSON text; `null` while the first write of the key is under way. */
  readonly value: string | null
  readonly etag: string
  readonly generation: number
  readonly size_bytes: number
  /** What it takes of its user's room: key, value, metadata and tags. */
  readonly room_bytes: number
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly tags: readonly string[] | null
  readonly updated_at: number
  readonly expires_at: number | null
}

/** A space of storage and files. The record's id is the space; it is written when a key or a file goes. */
export interface SpaceRow {
  /** The highest generation of the keys and files that went: a new one has a higher one. */
  readonly generation: number
  /** Whose space it is; `null`: what all users of an app share. */
  readonly user_id: string | null
}

/** The state blob of a window. The record's id is the window's. */
export interface StateRow {
  /** `[key, value as JSON text, generation]`, in the order of keys: no key of a bundle becomes a property name. */
  readonly entries: readonly (readonly [key: string, value: string, generation: number])[]
  /** Writes and deletes so far: the next write has the next generation, whatever its key. */
  readonly changes: number
}

export const users = collection({
  name: 'users',
  row: {} as UserRow,
  indexes: { byCreation: (row) => [row.created_at] },
})
export const publishers = collection({
  name: 'publishers',
  row: {} as PublisherRow,
  indexes: { byUser: (row) => [row.user_id, row.verified_at] },
})
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
    // What declares a plugin: see versions-with-plug.ts.
    ...plugIndexes,
    manyPlugs: (row) => (hasManyPlugs(row.manifest) ? [row.app_id] : null),
  },
})
export const installs = collection({
  name: 'installs',
  row: {} as InstallRow,
  indexes: {
    byUser: (row) => [row.user_id, row.created_at],
    byApp: (row) => [row.app_id, row.version_id],
  },
})
/** Whether a space is one that all users of an app share. */
const isShared = (space: string) => space.startsWith('["shared"')

export const items = collection({
  name: 'items',
  row: {} as ItemRow,
  indexes: {
    live: (row) => (row.value === null ? null : [row.space, row.key]),
    byUser: (row) => (row.value === null || isShared(row.space) ? null : [row.user_id, row.space, row.key]),
    // What byUser leaves out: what users share, and what was begun.
    byWriter: (row) => (row.value === null || isShared(row.space) ? [row.user_id, row.space, row.key] : null),
    expiresAt: (row) => (row.expires_at === null ? null : [row.expires_at]),
    begunAt: (row) => (row.value === null ? [row.updated_at] : null),
  },
  weight: (row) => row.room_bytes,
})
export const spaces = collection({
  name: 'spaces',
  row: {} as SpaceRow,
  indexes: { byUser: (row) => (row.user_id === null ? null : [row.user_id]) },
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
