import { createHash } from 'node:crypto'
import type { Cap, Collection, InsertResult, Store, StoreRecord, SwapResult } from '@svc/state'
import {
  type ByteText,
  boundsOf,
  decodePart,
  encodeCursor,
  encodeEntry,
  encodeKey,
  encodePart,
  frozenCopy,
  frozenFromText,
  StoreError,
} from '@svc/state/driver'
import type { Thread } from '../folder/thread.ts'
import type { Declared, Reindexed, RowsAfter } from '../threads/declarations.ts'
import type { ScanPage, Stored } from '../threads/record-reads.ts'
import type { WriteOutcome, Written, WrittenCap } from '../threads/record-writes.ts'

/** What a store on SQLite is made of. */
export interface SqliteStoreOptions {
  /** Writes records. */
  readonly writer: Thread
  /** Reads what has been committed. */
  readonly reader: Thread
  /** Hears of work on a collection whose indexes changed: rows done. */
  readonly onReindex?: ((collection: string, rows: number) => void) | undefined
  /** Called when the store is closed. */
  readonly onClose: () => Promise<void>
}

/** A collection with its number in the folder, once it is declared. */
interface Table {
  readonly collection: Collection<never>
  readonly names: readonly string[]
  readonly ready: Promise<Declared>
  declared: Declared | null
}

/** Rows that are indexed anew at once. */
const REINDEX_ROWS = 500

/** The store of a folder. */
export function sqliteStore({ writer, reader, onReindex, onClose }: SqliteStoreOptions): Store {
  const tables = new Map<string, Table>()
  let closing: Promise<void> | null = null

  function tableOf(collection: Collection<never>): Table {
    if (closing) throw new StoreError('closed', 'the store is closed')
    const found = tables.get(collection.name)
    if (found?.collection === collection) return found
    if (found) throw new TypeError(`two kinds of record are called ${collection.name}`)
    const names = Object.keys(collection.indexes)
    const ready = declare(collection, names)
    const table: Table = { collection, names, ready, declared: null }
    tables.set(collection.name, table)
    ready.then(
      (declared) => {
        table.declared = declared
      },
      // The next call declares it again.
      () => tables.delete(collection.name),
    )
    return table
  }

  async function declare(collection: Collection<never>, names: readonly string[]): Promise<Declared> {
    const print = fingerprint(collection)
    const declared = await writer.call<Declared>('declare', collection.name, names, print)
    if (!declared.isCurrent) await reindex(collection, declared, print)
    return declared
  }

  /** Puts the rows of a collection into its indexes as they are declared now. */
  async function reindex(collection: Collection<never>, declared: Declared, print: string): Promise<void> {
    await writer.call('clearEntries', declared.collection)
    let done = 0
    for (let after = 0; ; ) {
      const page = await writer.call<RowsAfter>('rowsAfter', declared.collection, after, REINDEX_ROWS)
      const rows = page.rows.map(([n, id, , body]): Reindexed => {
        const row = frozenFromText(body) as never
        return { n, ...positionOf(collection, decodePart(id) as string, row) }
      })
      if (page.to === null) break
      await writer.call('reindex', declared.collection, rows)
      after = page.to
      done += rows.length
      onReindex?.(collection.name, done)
    }
    await writer.call('declareDone', declared.collection, print)
  }

  /** The row as it is kept, on its way to the thread. */
  function written<Row>(
    { collection, names }: Table,
    declared: Declared,
    id: string,
    row: Row,
    caps: readonly Cap[],
  ): Written {
    return {
      collection: declared.collection,
      id: encodePart(id),
      body: JSON.stringify(row),
      ...positionOf(collection, id, row as never),
      caps: caps.map(
        ({ name, index, eq, max, of }): WrittenCap => ({
          name,
          at: placeOf(collection, names, index),
          eq: encodeKey(eq),
          max,
          isWeight: of === 'weight',
        }),
      ),
    }
  }

  return {
    async insert(collection, id, row, options) {
      const table = tableOf(collection)
      const copy = frozenCopy(row)
      const declared = table.declared ?? (await table.ready)
      const outcome = await writer.call<WriteOutcome>(
        'insert',
        written(table, declared, id, copy, options?.caps ?? []),
      )
      return resultOf(outcome, id, copy) as InsertResult<never>
    },
    async get(collection, id) {
      const table = tableOf(collection)
      const declared = table.declared ?? (await table.ready)
      const stored = await reader.call<Stored | null>('get', declared.collection, encodePart(id))
      return stored && (recordOf(stored) as StoreRecord<never>)
    },
    async swap(collection, id, revision, row, options) {
      const table = tableOf(collection)
      const copy = frozenCopy(row)
      const declared = table.declared ?? (await table.ready)
      const outcome = await writer.call<WriteOutcome>(
        'swap',
        written(table, declared, id, copy, options?.caps ?? []),
        revision,
      )
      return resultOf(outcome, id, copy) as SwapResult<never>
    },
    async remove(collection, id, revision) {
      const table = tableOf(collection)
      const declared = table.declared ?? (await table.ready)
      return writer.call<boolean>('remove', declared.collection, encodePart(id), revision)
    },
    async scan(collection, name, options) {
      const table = tableOf(collection)
      const at = placeOf(collection, table.names, name)
      const { low, high, eq } = boundsOf(collection, name, options)
      const declared = table.declared ?? (await table.ready)
      const { rows, last } = await reader.call<ScanPage>('scan', {
        index: declared.indexes[at],
        at,
        low,
        high,
        order: options.order ?? 'asc',
        limit: options.limit,
      })
      const next = last === null ? null : encodeCursor(collection.name, name, last.slice(eq.length))
      return { rows: rows.map(recordOf) as StoreRecord<never>[], next }
    },
    close() {
      closing ??= onClose()
      return closing
    },
  }
}

/** Tells a declaration from one that has other indexes, other keys or another weight. */
function fingerprint({ indexes, weight }: Collection<never>): string {
  const declared = Object.entries<unknown>(indexes).map(([name, keyOf]) => `${name}: ${keyOf}`)
  return createHash('sha256')
    .update([...declared, `weight: ${weight}`].join('\n'))
    .digest('hex')
}

function placeOf({ name: owner }: Collection<never>, names: readonly string[], name: string): number {
  const at = names.indexOf(name)
  if (at < 0) throw new TypeError(`${owner} has no index ${name}`)
  return at
}

/** Where a row is in the indexes, and what it weighs. */
function positionOf(collection: Collection<never>, id: string, row: never) {
  const keys = Object.values<(row: never) => readonly (string | number | boolean | null)[] | null>(
    collection.indexes,
  ).map((keyOf): ByteText | null => {
    const key = keyOf(row)
    return key && encodeEntry(key, id)
  })
  return { keys, weight: collection.weight?.(row) ?? 0 }
}

const recordOf = ([id, revision, body]: Stored): StoreRecord<unknown> =>
  Object.freeze({ id: decodePart(id) as string, revision, row: frozenFromText(body) as Readonly<unknown> })

function resultOf(outcome: WriteOutcome, id: string, row: unknown) {
  if ('revision' in outcome)
    return { ok: true, record: Object.freeze({ id, revision: outcome.revision, row }) } as const
  if ('exists' in outcome) return { ok: false, exists: recordOf(outcome.exists) } as const
  return { ok: false, ...outcome } as const
}
