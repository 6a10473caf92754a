import { createHash } from 'node:crypto'
import { refuse, wrongArg } from '@svc/contract'
import { parseKeeping } from '@svc/contract/exact-json'
import { type Store, type StoreRecord, update } from '@svc/state'
import { type StateRow, states } from '../../catalog/records.ts'
import { jsonOf } from '../../kernel/json.ts'
import type { Storage, StorageCaller } from './storage.ts'
import { checkIfMatch, foundText, noSuchKey } from './value.ts'

type Entries = StateRow['entries']

/** A weak etag made from the value alone. */
const etagOf = (value: string) => `W/"${createHash('sha256').update(value).digest('base64url').slice(0, 16)}"`

const entryAt = (entries: Entries, key: string) => entries.find(([name]) => name === key)

const etagAt = (entries: Entries, key: string) => {
  const entry = entryAt(entries, key)
  return entry ? etagOf(entry[1]) : null
}

const without = (entries: Entries, key: string) => entries.filter(([name]) => name !== key)

/** The state as the text of one object: what its size is judged by. */
const blobOf = (entries: Entries) =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`

const byKey = ([a]: Entries[number], [b]: Entries[number]) => (a < b ? -1 : a > b ? 1 : 0)

/** The state of a window as one object, for `hello`. */
export async function readState(store: Store, windowUuid: string): Promise<Record<string, unknown>> {
  const record = await store.get(states, windowUuid)
  // One by one, as they are read: together they may have more odd numbers than are kept.
  return Object.fromEntries((record?.row.entries ?? []).map(([key, value]) => [key, parseKeeping(value)]))
}

/** Storage in the window's own state: 256 KB a window, no metadata, weak etags. */
export const windowStateStorage: Storage = {
  async get({ key }, { services, window }) {
    const record = await services.store.get(states, window.id)
    const entry = entryAt(record?.row.entries ?? [], key)
    if (!entry) throw noSuchKey(key)
    const [, value, generation] = entry
    return foundText(value, { etag: etagOf(value), generation })
  },

  async set({ key, value, if_match }, context) {
    const text = jsonOf(value)
    const generation = await write(context, (entries, generation, size) => {
      checkIfMatch(if_match, etagAt(entries, key))
      const next = [...without(entries, key), [key, text, generation] as const].sort(byKey)
      const max = context.services.limits.WINDOW_STATE_MAX_BYTES
      const after = Buffer.byteLength(blobOf(next))
      if (after > max && after >= size)
        throw refuse(
          'state_too_large',
          `the window state may have ${max} bytes, with this value it has ${after}`,
          { size: after, max },
        )
      return next
    })
    return { ok: true, etag: etagOf(text), generation, size_bytes: Buffer.byteLength(text) }
  },

  async delete({ key, if_match }, context) {
    await write(context, (entries) => {
      const etag = etagAt(entries, key)
      if (if_match !== undefined) checkIfMatch(if_match, etag)
      if (etag === null) throw noSuchKey(key)
      return without(entries, key)
    })
    return { ok: true, deleted: true }
  },

  async list({ prefix = '', cursor, limit }, { services, window }) {
    const record = await services.store.get(states, window.id)
    const after = typeof cursor === 'string' ? readCursor(cursor) : null
    const rest = (record?.row.entries ?? []).filter(
      ([key]) => key.startsWith(prefix) && (after === null || key > after),
    )
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    return {
      items: page.map(([key, value]) => ({
        key,
        etag: etagOf(value),
        size_bytes: Buffer.byteLength(value),
        metadata: null,
        tags: null,
        updated_at: null,
      })),
      next_cursor: last && rest.length > limit ? writeCursor(last[0]) : null,
    }
  },
}

/** A cursor is the last key as JSON text, which keeps lone surrogates. */
const writeCursor = (key: string) => Buffer.from(JSON.stringify(key)).toString('base64url')

function readCursor(cursor: string): string {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (typeof key === 'string') return key
  } catch {
    // Falls through to the one refusal: text that is not a cursor and JSON that is not one are the same to the caller.
  }
  throw wrongArg('cursor', 'must be a next_cursor of this list')
}

/**
 * Writes the state by compare-and-set, and returns the generation of the write; `next` gets the current entries, that
 * generation, and the size of their blob in bytes.
 */
async function write(
  { services: { store }, window }: StorageCaller,
  next: (entries: Entries, generation: number, size: number) => Entries,
): Promise<number> {
  const written = await update(store, states, window.id, (old) => {
    const { entries, changes } = old ?? { entries: [], changes: 0 }
    const generation = changes + 1
    return {
      entries: next(entries, generation, Buffer.byteLength(blobOf(entries))),
      changes: generation,
    }
  })
  return (written as StoreRecord<StateRow>).row.changes
}
