import { type Cap, type Store, type StoreRecord, update } from '@svc/state'
import { type ItemRow, items, spaces } from '../../catalog/records.ts'
import { userOfSpace } from './scope.ts'

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

const lastGeneration = async (store: Store, space: string) =>
  (await store.get(spaces, space))?.row.generation ?? 0

/**
 * Removes a value after its space has kept `generation`, which must be none of a later value of the key.
 * Returns whether it was still the one of `record`.
 */
export async function removeItem(
  store: Store,
  { id, revision, row }: StoreRecord<ItemRow>,
  generation: number,
): Promise<boolean> {
  const kept = { generation, user_id: userOfSpace(row.space) }
  await update(store, spaces, row.space, (old) => (old && old.generation >= generation ? old : kept))
  return store.remove(items, id, revision)
}
