import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { type Collection, type Copy, openCopy, type Store, type StoreRecord } from '@svc/state'
import { plugs, splitVersionKey } from './plug-row.ts'
import { plugValues } from './plug-values.ts'
import { findSnapshot, offered } from './plug-versions.ts'
import { apps, installs, publishers, users, versions } from './records.ts'
import { windows } from './window-row.ts'

/** How copies of records are kept, where it is in another way than that of all copies. */
export interface RecordCopies {
  /** How old one may be, in ms. */
  readonly staleMs: number
  /** Gets the copy of each collection that has one, and returns what readers use in place of it. */
  readonly use: <Row>(collection: Collection<Row>, copy: Copy<Row>) => Copy<Row>
}

/** Makes the copies over a store. */
export function openCopies(store: Store, clock: Clock, limits: Limits, ofRecords?: RecordCopies) {
  const { CACHE_STALE_MS: staleMs, VERIFIED_TOKENS_MAX, PLUG_COPIES_MAX } = limits
  const copy = <Row>(collection: Collection<Row>, max = VERIFIED_TOKENS_MAX) => {
    const keeping = { clock, staleMs: ofRecords?.staleMs ?? staleMs, max }
    const made = openCopy((id) => store.get(collection, id), keeping)
    return ofRecords ? ofRecords.use(collection, made) : made
  }
  const found = <Row>(read: (id: string) => Promise<StoreRecord<Row> | null>) =>
    openCopy(read, { clock, staleMs, max: PLUG_COPIES_MAX })
  return {
    users: copy(users),
    windows: copy(windows),
    installs: copy(installs),
    versions: copy(versions),
    apps: copy(apps),
    /** The live records of published plugins. */
    plugs: copy(plugs, PLUG_COPIES_MAX),
    /** What users gave the variables of plugins, by `plugValuesId`. */
    plugValues: copy(plugValues, PLUG_COPIES_MAX),
    /** Verified names of publishers, by the id of the user. */
    publishers: found(async (userId) => {
      const newest = { eq: [userId], order: 'desc', limit: 1 } as const
      return (await store.scan(publishers, 'byUser', newest)).rows[0] ?? null
    }),
    /** Frozen versions, by `versionKey`. */
    plugVersions: found((key) => findSnapshot({ store }, ...splitVersionKey(key))),
    /** Of each plugin the version that is offered, by its `tool_id`. */
    offered: found((toolId) => offered({ store }, toolId)),
  }
}

/** The copies that every call reads, one set a process. */
export type Copies = ReturnType<typeof openCopies>
