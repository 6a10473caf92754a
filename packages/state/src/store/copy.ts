import type { Clock } from '@svc/node'
import type { StoreRecord } from './port.ts'

/** A read-through copy of one kind of record: a fresh copy is answered without waiting. */
export interface Copy<Row> {
  /**
   * The record, at most `staleMs` old; dropped at once by a local `drop`. `now` spares a look at the clock
   * to who has just taken one.
   */
  get(id: string, now?: number): StoreRecord<Row> | null | Promise<StoreRecord<Row> | null>
  /** Forgets the copy after a local write; give the new record where it is known. */
  drop(id: string, next?: StoreRecord<Row>): void
}

/** How long a copy is fresh, and how many there are at most. */
export interface Keeping {
  /** Tells when a copy is too old. */
  readonly clock: Clock
  /** How long a copy is fresh, in ms. */
  readonly staleMs: number
  /** Copies that are held. */
  readonly max: number
}

/** Makes a copy that reads with `read` what it does not have; the oldest go first. */
export function openCopy<Row>(
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
