import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { type PlugRow, plugs, type SnapshotRow, splitVersionKey } from '../publishing/plug-row.ts'
import { findSnapshot, offered } from '../publishing/snapshots.ts'
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
  type WindowRow,
  windows,
} from '../records.ts'
import type { Collection, Store, StoreRecord } from './port.ts'

/** A read-through copy of one kind of record: a fresh copy is answered without waiting. */
export interface Copy<Row> {
  /**
   * The record, at most `CACHE_STALE_MS` old; dropped at once by a local `drop`. `now` spares a look at the clock
   * to who has just taken one.
   */
  get(id: string, now?: number): StoreRecord<Row> | null | Promise<StoreRecord<Row> | null>
  /** Forgets the copy after a local write; give the new record where it is known. */
  drop(id: string, next?: StoreRecord<Row>): void
}

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

/** How long a copy is fresh, and how many there are at most. */
interface Keeping {
  readonly clock: Clock
  readonly staleMs: number
  readonly max: number
}

function openCopy<Row>(
  read: (id: string) => Promise<StoreRecord<Row> | null>,
  { clock, staleMs, max }: Keeping,
): Copy<Row> {
  const held = new Map<string, { record: StoreRecord<Row> | null; until: number }>()
  let writes = 0

  const keep = (id: string, record: StoreRecord<Row> | null) => {
    held.delete(id)
    held.set(id, { record, until: clock.now() + staleMs })
    if (held.size > max) {
      const oldest = held.keys().next().value
      if (oldest !== undefined) held.delete(oldest)
    }
  }
  return {
    get(id, now = clock.now()) {
      const found = held.get(id)
      if (found && now < found.until) return found.record
      const before = writes
      return read(id).then((record) => {
        // A write that came in between may make this reading old: it is answered but not kept.
        if (writes === before) keep(id, record)
        return record
      })
    },
    drop(id, next) {
      writes += 1
      if (!next) held.delete(id)
      // Two local writes may be told in the other order.
      else if (next.revision >= (held.get(id)?.record?.revision ?? next.revision)) keep(id, next)
    },
  }
}
