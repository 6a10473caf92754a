import { createHash } from 'node:crypto'
import { type Limits, refuse } from '@svc/contract'
import { type ItemRow, items } from '../records.ts'
import type { StoreRecord } from '../store/port.ts'
import { holdIfMatch, noSuchKey } from './if-match.ts'
import { scanSpace } from './scan-space.ts'
import { keyId, spaceOf } from './scope.ts'
import type { Storage, StorageCaller } from './storage-caller.ts'

const etagOf = (generation: number, value: string) =>
  `"${generation}-${createHash('sha256').update(value).digest('base64url').slice(0, 16)}"`

/** A value that is there and has not run out (expiry is judged by the clock at every reading). */
const live = (record: StoreRecord<ItemRow> | null, now: number): (ItemRow & { value: string }) | null =>
  record && record.row.value !== null && !(record.row.expires_at !== null && now >= record.row.expires_at)
    ? (record.row as ItemRow & { value: string })
    : null

/** Persistent storage of an app (spec §4.2): etags, generations that survive a delete, expiry. */
export const persistentStorage: Storage = {
  async get({ key, scope }, context) {
    const { store, clock } = context.house
    const row = live(await store.get(items, keyId(spaceOf(scope, context), key)), clock.now())
    if (!row) throw noSuchKey(key)
    return { value: JSON.parse(row.value), etag: row.etag, generation: row.generation, exists: true }
  },

  async set({ key, value, scope, if_match, metadata, tags, ttl_seconds }, context) {
    const { clock, limits } = context.house
    const text = JSON.stringify(value)
    const size_bytes = Buffer.byteLength(text)
    holdSize('value', size_bytes, limits.STORAGE_VALUE_MAX_BYTES)
    if (metadata)
      holdSize('metadata', Buffer.byteLength(JSON.stringify(metadata)), limits.STORAGE_METADATA_MAX_BYTES)
    const space = spaceOf(scope, context)
    const row = await write(context, space, key, (old, now) => {
      holdIfMatch(if_match, live(old, now)?.etag ?? null)
      const generation = (old?.row.generation ?? 0) + 1
      return {
        space,
        key,
        value: text,
        etag: etagOf(generation, text),
        generation,
        size_bytes,
        metadata: metadata ?? null,
        tags: tags ?? null,
        updated_at: clock.now(),
        expires_at: ttl_seconds === undefined ? null : clock.now() + ttl_seconds * 1_000,
      }
    })
    return { etag: row.etag, generation: row.generation, size_bytes }
  },

  async delete({ key, scope, if_match }, context) {
    const space = spaceOf(scope, context)
    await write(context, space, key, (old, now) => {
      const row = live(old, now)
      if (if_match !== undefined) holdIfMatch(if_match, row?.etag ?? null)
      if (!row) throw noSuchKey(key)
      const gone = { value: null, etag: '', size_bytes: 0, metadata: null, tags: null, expires_at: null }
      return { ...row, ...gone, generation: row.generation + 1, updated_at: now }
    })
    return { deleted: true }
  },

  async list({ prefix, cursor, limit, scope }, context) {
    const { store, clock } = context.house
    const space = spaceOf(scope, context)
    const found: (ItemRow & { value: string })[] = []
    let after = cursor ?? null
    do {
      const page = await scanSpace(store, items, space, { prefix, after, limit: limit - found.length })
      for (const record of page.rows) {
        const row = live(record, clock.now())
        if (row) found.push(row)
      }
      after = page.next
    } while (after !== null && found.length < limit)
    return {
      items: found.map(({ key, etag, size_bytes, metadata, tags, updated_at }) => ({
        key,
        etag,
        size_bytes,
        metadata: metadata as Record<string, unknown> | null,
        tags: tags as string[] | null,
        updated_at: new Date(updated_at).toISOString(),
      })),
      next_cursor: after,
    }
  },
}

/** Writes by compare-and-set: what `next` refuses is refused on the row that really stands there. */
async function write(
  { house: { store, clock } }: StorageCaller,
  space: string,
  key: string,
  next: (old: StoreRecord<ItemRow> | null, now: number) => ItemRow,
): Promise<ItemRow> {
  const id = keyId(space, key)
  for (;;) {
    const old = await store.get(items, id)
    const row = next(old, clock.now())
    const written = old ? await store.swap(items, id, old.revision, row) : await store.insert(items, id, row)
    if (written.ok) return row
  }
}

function holdSize(name: string, size: number, max: Limits[keyof Limits]): void {
  if (size > max)
    throw refuse('invalid_arg', `${name} must have at most ${max} bytes of JSON, got ${size}`, { size, max })
}
