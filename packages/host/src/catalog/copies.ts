import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { type Collection, type Copy, openCopy, type Store, type StoreRecord } from '@svc/state'
import { type PlugRow, plugs, type SnapshotRow, splitVersionKey } from './plug-row.ts'
import { findSnapshot, offered } from './plug-versions.ts'
import {
  type AppRow,
  apps,
  type InstallRow,
  installs,
  type PublisherRow,
  publishers,
  type UserRow,
  users,
  type VersionRow,
  versions,
} from './records.ts'
import { type WindowRow, windows } from './window-row.ts'

/** The copies that every call reads, one set a process. */
export interface Copies {
  readonly users: Copy<UserRow>
  /** Verified names of publishers, by the id of the user. */
  readonly publishers: Copy<PublisherRow>
  readonly windows: Copy<WindowRow>
  readonly installs: Copy<InstallRow>
  readonly versions: Copy<VersionRow>
  readonly apps: Copy<AppRow>
  /** The live records of published plugins. */
  readonly plugs: Copy<PlugRow>
  /** Frozen versions, by `versionKey`. */
  readonly plugVersions: Copy<SnapshotRow>
  /** Of each plugin the version that is offered, by its `tool_id`. */
  readonly offered: Copy<SnapshotRow>
}

/** Makes the copies over a store. */
export function openCopies(store: Store, clock: Clock, limits: Limits): Copies {
  const { CACHE_STALE_MS: staleMs, VERIFIED_TOKENS_MAX, PLUG_COPIES_MAX } = limits
  const copy = <Row>(collection: Collection<Row>, max = VERIFIED_TOKENS_MAX) =>
    openCopy((id) => store.get(collection, id), { clock, staleMs, max })
  const found = <Row>(read: (id: string) => Promise<StoreRecord<Row> | null>) =>
    openCopy(read, { clock, staleMs, max: PLUG_COPIES_MAX })
  return {
    users: copy(users),
    windows: copy(windows),
    installs: copy(installs),
    versions: copy(versions),
    apps: copy(apps),
    plugs: copy(plugs, PLUG_COPIES_MAX),
    publishers: found(async (userId) => {
      const newest = { eq: [userId], order: 'desc', limit: 1 } as const
      return (await store.scan(publishers, 'byUser', newest)).rows[0] ?? null
    }),
    plugVersions: found((key) => findSnapshot({ store }, ...splitVersionKey(key))),
    offered: found((toolId) => offered({ store }, toolId)),
  }
}
