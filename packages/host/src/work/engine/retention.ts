import type { Limits } from '@svc/contract'
import { type Cap, type Collection, each, type Store, type StoreRecord } from '@svc/state'
import type { WorkServices } from '../services.ts'

/** Whose a record is. */
interface OfApp {
  readonly user_id: string
  readonly app_id: string
}

/** How many ended records of one kind are kept, so that no app fills the store or pushes out what another one left. */
export interface Retention<Row extends OfApp, Index extends string, Parts> {
  readonly collection: Collection<Row, Index>
  /** The ended ones by user and app, the oldest first. */
  readonly byApp: NoInfer<Index>
  /** The ended ones by user, the oldest first. */
  readonly byUser: NoInfer<Index>
  /** How many an app of a user, and a user, keeps; the one that ends is kept in any case. */
  readonly max: (limits: Limits) => { readonly app: number; readonly user: number }
  /** Forgets one, with all that belongs to it. */
  readonly forget: (parts: Parts, record: StoreRecord<Row>) => Promise<void>
}

/** Declares one. */
export const retentionOf = <Row extends OfApp, Index extends string, Parts>(
  retention: Retention<Row, Index, Parts>,
): Retention<Row, Index, Parts> => retention

/**
 * Writes the row that ends a record. Where too many are kept, the one that ended first goes. Returns the record, or
 * `null` where somebody else wrote first or room was made: the caller reads it again.
 */
export async function writeEnd<
  Row extends OfApp,
  Index extends string,
  Parts extends { readonly store: Store; readonly limits: Limits },
>(
  parts: Parts,
  retention: Retention<Row, Index, Parts>,
  { id, revision }: Pick<StoreRecord<Row>, 'id' | 'revision'>,
  row: Row,
): Promise<StoreRecord<Row> | null> {
  const { limits, store } = parts
  const { collection, byApp, byUser, forget } = retention
  const { app, user } = retention.max(limits)
  const caps: Cap<Index>[] = [
    { name: 'app', index: byApp, eq: [row.user_id, row.app_id], max: Math.max(1, app) },
    { name: 'user', index: byUser, eq: [row.user_id], max: Math.max(1, user) },
  ]
  const swapped = await store.swap(collection, id, revision, row, { caps })
  if (swapped.ok) return swapped.record
  const full = 'full' in swapped && caps.find(({ name }) => name === swapped.full)
  if (!full) return null
  const { rows } = await store.scan(collection, full.index, { eq: full.eq, limit: 1 })
  for (const oldest of rows) await forget(parts, oldest)
  return null
}

/** Forgets what ended at least `keptMs` ago, by the index of when that was. */
export async function forgetEnded<
  Row extends OfApp,
  Index extends string,
  Parts extends Pick<WorkServices, 'clock' | 'limits' | 'store'>,
>(
  parts: Parts,
  { collection, forget }: Retention<Row, Index, Parts>,
  endedAt: NoInfer<Index>,
  keptMs: number,
): Promise<void> {
  const { clock, limits, store } = parts
  const range = { to: clock.now() - keptMs, limit: limits.CLEAN_RECORDS_MAX }
  for await (const record of each(store, collection, endedAt, range)) await forget(parts, record)
}
