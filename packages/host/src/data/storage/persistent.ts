import { createHash } from 'node:crypto'
import { type Limits, type Refusal, refuse, wrongArg } from '@svc/contract'
import { pause } from '@svc/node'
import type { Cap, Store, StoreRecord } from '@svc/state'
import { type ItemRow, items } from '../../catalog/records.ts'
import { jsonOf } from '../../kernel/json.ts'
import { removeItem, writeItem } from './items.ts'
import { keyId, type Scope, scanSpace, spaceOf } from './space.ts'
import type { Storage } from './storage.ts'
import { checkIfMatch, foundText, noSuchKey } from './value.ts'

const sentences = {
  STORAGE_KEYS_PER_SPACE: 'an app may keep at most %d keys in a scope',
  STORAGE_KEYS_PER_USER: 'a user may keep at most %d keys of their own over all apps',
  STORAGE_BYTES_PER_SPACE: 'an app may keep at most %d bytes of values in a scope',
  STORAGE_BYTES_PER_USER: 'a user may keep at most %d bytes of values of their own over all apps',
} as const satisfies Partial<Record<keyof Limits, string>>

/**
 * The caps of a write to a space. What users share counts for its space alone: it stays after its writer uninstalled the
 * app, and nothing that the writer can do would make that room free.
 */
const capsOf = (
  limits: Limits,
  { scope, space, userId }: { scope: Scope; space: string; userId: string },
): Cap<'live' | 'byUser'>[] => {
  const ofSpace = { index: 'live', eq: [space] } as const
  const ofUser = { index: 'byUser', eq: [userId] } as const
  const { STORAGE_KEYS_PER_SPACE, STORAGE_BYTES_PER_SPACE, STORAGE_KEYS_PER_USER, STORAGE_BYTES_PER_USER } =
    limits
  const caps: Cap<'live' | 'byUser'>[] = [
    { ...ofSpace, name: 'STORAGE_KEYS_PER_SPACE', max: STORAGE_KEYS_PER_SPACE },
    { ...ofSpace, name: 'STORAGE_BYTES_PER_SPACE', max: STORAGE_BYTES_PER_SPACE, of: 'weight' },
  ]
  if (scope === 'shared') return caps
  return [
    ...caps,
    { ...ofUser, name: 'STORAGE_KEYS_PER_USER', max: STORAGE_KEYS_PER_USER },
    { ...ofUser, name: 'STORAGE_BYTES_PER_USER', max: STORAGE_BYTES_PER_USER, of: 'weight' },
  ]
}

/** The refusal of a value for which there is no room. */
function noRoom(full: string, limits: Limits, key: string, roomBytes: number): Refusal {
  const limit = full as keyof typeof sentences
  const max = limits[limit]
  const sentence = sentences[limit].replace('%d', String(max))
  return refuse(
    'quota_exceeded',
    `${JSON.stringify(key)} with ${roomBytes} bytes does not fit: ${sentence}`,
    {
      limit,
      max,
      size: roomBytes,
      hint: 'Delete keys to free space at once; expired values with ttl_seconds free their space within a minute.',
    },
  )
}

/** Records that one scan asks for. */
const PAGE = 100

const etagOf = (generation: number, value: string) =>
  `"${generation}-${createHash('sha256').update(value).digest('base64url').slice(0, 16)}"`

/** A value that is there and has not run out (expiry is judged by the clock at every reading). */
const live = (record: StoreRecord<ItemRow> | null, now: number): (ItemRow & { value: string }) | null =>
  record && record.row.value !== null && !(record.row.expires_at !== null && now >= record.row.expires_at)
    ? (record.row as ItemRow & { value: string })
    : null

/** Persistent storage of an app: etags, generations that survive a delete, expiry. */
export const persistentStorage: Storage = {
  async get({ key, scope }, context) {
    const { store, clock } = context.services
    const row = live(await store.get(items, keyId(spaceOf(scope, context), key)), clock.now())
    if (!row) throw noSuchKey(key)
    return foundText(row.value, row)
  },

  async set({ key, value, scope, if_match, metadata, tags, ttl_seconds }, context) {
    const { userId } = context
    const { clock, limits, store } = context.services
    const text = jsonOf(value)
    const size_bytes = Buffer.byteLength(text)
    checkSize('value', size_bytes, limits.STORAGE_VALUE_MAX_BYTES)
    if (metadata)
      checkSize('metadata', Buffer.byteLength(JSON.stringify(metadata)), limits.STORAGE_METADATA_MAX_BYTES)
    const space = spaceOf(scope, context)
    const room_bytes =
      size_bytes + Buffer.byteLength(key) + Buffer.byteLength(JSON.stringify([metadata ?? 0, tags ?? 0]))
    const written = await writeItem(store, {
      id: keyId(space, key),
      caps: capsOf(limits, { scope, space, userId }),
      etagOf,
      next(old) {
        const now = clock.now()
        checkIfMatch(if_match, live(old, now)?.etag ?? null)
        return {
          space,
          key,
          user_id: userId,
          value: text,
          size_bytes,
          room_bytes,
          updated_at: now,
          metadata: metadata ?? null,
          tags: tags ?? null,
          expires_at: ttl_seconds === undefined ? null : now + ttl_seconds * 1_000,
        }
      },
    })
    if ('full' in written) throw noRoom(written.full, limits, key, room_bytes)
    return { etag: written.row.etag, generation: written.row.generation, size_bytes }
  },

  async delete({ key, scope, if_match }, context) {
    const { clock, store } = context.services
    const id = keyId(spaceOf(scope, context), key)
    for (;;) {
      const old = await store.get(items, id)
      const row = live(old, clock.now())
      if (if_match !== undefined) checkIfMatch(if_match, row?.etag ?? null)
      if (!old || !row) throw noSuchKey(key)
      if (await removeItem(store, old, row.generation + 1)) return { deleted: true }
    }
  },

  async list({ prefix, cursor, limit, scope }, context) {
    const { store, clock, limits } = context.services
    const space = spaceOf(scope, context)
    const found: (ItemRow & { value: string })[] = []
    let after = cursor ?? null
    let bytes = 0
    // What ran out is passed over, and there may be a lot of it: a call that met enough of it ends its page early. So
    // does one with large metadata.
    for (let passed = 0, isOver = false; !isOver; ) {
      const left = limits.STORAGE_LIST_MAX_BYTES - bytes
      const page = await scanFitting(
        store,
        space,
        { prefix, after, limit: Math.min(limit - found.length, PAGE) },
        left,
      )
      for (const record of page.rows) {
        bytes += listedBytes(record.row)
        const row = live(record, clock.now())
        if (row) found.push(row)
      }
      after = page.next
      passed += page.rows.length
      isOver =
        after === null ||
        found.length >= limit ||
        passed >= limits.STORAGE_LIST_PASSED_MAX ||
        bytes >= limits.STORAGE_LIST_MAX_BYTES ||
        page.isCut
      if (!isOver) await pause()
    }
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

/** What a list shows of a value: its key, metadata and tags. */
const listedBytes = ({ room_bytes, size_bytes }: ItemRow) => room_bytes - size_bytes

/** A page of the values of a space, one at least: cut short where the next one would go over `maxBytes`. */
async function scanFitting(
  store: Store,
  space: string,
  by: Parameters<typeof scanSpace>[3],
  maxBytes: number,
) {
  const page = await scanSpace(store, items, space, by)
  let bytes = 0
  const over = page.rows.findIndex(({ row }) => {
    bytes += listedBytes(row)
    return bytes > maxBytes
  })
  if (over === -1) return { ...page, isCut: false }
  return { ...(await scanSpace(store, items, space, { ...by, limit: Math.max(1, over) })), isCut: true }
}

function checkSize(name: string, size: number, max: Limits[keyof Limits]): void {
  if (size > max) throw wrongArg(name, `must have at most ${max} bytes of JSON, got ${size}`, { size, max })
}
