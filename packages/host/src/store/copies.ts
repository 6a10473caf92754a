import type { Limits } from '@svc/contract'
import type { Clock } from '../clock.ts'
import {
  type InstallRow,
  installs,
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

/** The copies that every call reads (design §6: per process by decision). */
export interface Copies {
  readonly users: Copy<UserRow>
  readonly windows: Copy<WindowRow>
  readonly installs: Copy<InstallRow>
  readonly versions: Copy<VersionRow>
}

/** Makes the copies over a store. */
export function openCopies(store: Store, clock: Clock, limits: Limits): Copies {
  const copy = <Row>(collection: Collection<Row>) => openCopy(store, collection, clock, limits)
  return { users: copy(users), windows: copy(windows), installs: copy(installs), versions: copy(versions) }
}

function openCopy<Row>(store: Store, collection: Collection<Row>, clock: Clock, limits: Limits): Copy<Row> {
  const held = new Map<string, { record: StoreRecord<Row> | null; until: number }>()
  let writes = 0

  const keep = (id: string, record: StoreRecord<Row> | null) => {
    held.delete(id)
    held.set(id, { record, until: clock.now() + limits.CACHE_STALE_MS })
    if (held.size > limits.VERIFIED_TOKENS_MAX) {
      const oldest = held.keys().next().value
      if (oldest !== undefined) held.delete(oldest)
    }
  }
  return {
    get(id, now = clock.now()) {
      const found = held.get(id)
      if (found && now < found.until) return found.record
      const before = writes
      return store.get(collection, id).then((record) => {
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
