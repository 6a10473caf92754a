import { type Cap, each, eachSettled, type Store, type StoreRecord, update } from '@svc/state'
import { type ItemRow, items, spaces } from '../../catalog/records.ts'
import type { KernelServices } from '../../kernel/services.ts'
import { userOfSpace } from './space.ts'

/** A value to write; its generation and etag are made when it is known what it follows. */
export type NewItem = Omit<ItemRow, 'value' | 'generation' | 'etag'> & { readonly value: string }

type FoundItem = StoreRecord<ItemRow> | null

/** Where and how a value is written. */
export interface ItemWrite {
  readonly id: string
  readonly caps: readonly Cap<'live' | 'byUser'>[]
  /** Makes the row, or throws what refuses the write, on the record that is there. */
  readonly next: (old: FoundItem) => NewItem
  readonly etagOf: (generation: number, value: string) => string
}

/**
 * Writes by compare-and-set. A key without a record gets a place first and reads the last generation of its space then:
 * whatever removed the key before has told the space its generation, so that none is given twice.
 * Returns the row, or the name of a full cap.
 */
export async function writeItem(
  store: Store,
  { id, caps, next, etagOf }: ItemWrite,
): Promise<{ readonly row: ItemRow } | { readonly full: string }> {
  for (;;) {
    const old: FoundItem = await store.get(items, id)
    const item = next(old)
    const place = old ?? (await takePlace(store, id, item))
    if (!place) continue
    const last = place.row.value === null ? await lastGeneration(store, item.space) : place.row.generation
    const row: ItemRow = { ...item, generation: last + 1, etag: etagOf(last + 1, item.value) }
    const written = await store.swap(items, id, place.revision, row, { caps })
    if (written.ok) return { row }
    if ('lost' in written) continue
    if (place.row.value === null) await store.remove(items, id, place.revision)
    return { full: written.full }
  }
}

/** A record without a value, which no reader sees; `null` where somebody else was first. */
async function takePlace(store: Store, id: string, item: NewItem): Promise<FoundItem> {
  const { space, user_id, key, updated_at } = item
  const none = { value: null, etag: '', generation: 0, size_bytes: 0, room_bytes: 0 }
  const bare = { metadata: null, tags: null, expires_at: null }
  const taken = await store.insert(items, id, { space, user_id, key, updated_at, ...none, ...bare })
  return taken.ok ? taken.record : null
}

/** The highest generation of what went from a space. Who has taken a place reads one that nobody has had there. */
export const lastGeneration = async (store: Store, space: string): Promise<number> =>
  (await store.get(spaces, space))?.row.generation ?? 0

/** Has a space keep the generation of what is about to go from it. */
export async function keepGeneration(store: Store, space: string, generation: number): Promise<void> {
  const kept = { generation, user_id: userOfSpace(space) }
  await update(store, spaces, space, (old) => (old && old.generation >= generation ? old : kept))
}

/**
 * Removes a value after its space has kept `generation`, which must be none of a later value of the key.
 * Returns whether it was still the one of `record`.
 */
export async function removeItem(
  store: Store,
  { id, revision, row }: StoreRecord<ItemRow>,
  generation: number,
): Promise<boolean> {
  await keepGeneration(store, row.space, generation)
  return store.remove(items, id, revision)
}

/**
 * Removes values that ran out, and what writes that were interrupted left; generations go on. Readers see no
 * difference: they judge by the clock. A value written in between stays.
 */
export async function dropExpired({
  clock,
  limits,
  store,
}: Pick<KernelServices, 'clock' | 'limits' | 'store'>) {
  const now = clock.now()
  const limit = limits.CLEAN_RECORDS_MAX
  await eachSettled(each(store, items, 'expiresAt', { to: now, limit }), (record) =>
    removeItem(store, record, record.row.generation),
  )
  await eachSettled(
    each(store, items, 'begunAt', { to: now - limits.CLEAN_INTERVAL_MS, limit }),
    ({ id, revision }) => store.remove(items, id, revision),
  )
}

/** Removes every value of a space, and what is known of its generations: who installs the app again finds none. */
export async function deleteItems(store: Store, space: string): Promise<void> {
  await eachSettled(each(store, items, 'live', { eq: [space] }), ({ id, revision }) =>
    store.remove(items, id, revision),
  )
  const kept = await store.get(spaces, space)
  if (kept) await store.remove(spaces, space, kept.revision)
}
