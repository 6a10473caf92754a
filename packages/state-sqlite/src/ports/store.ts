import type { Cap, Collection, InsertResult, Store, StoreRecord, SwapResult } from '@svc/state'
import {
  boundsOf,
  type DriverTable,
  decodePart,
  encodeCursor,
  encodeKey,
  encodePart,
  frozenCopy,
  frozenFromText,
  openTables,
  placeOf,
  positionOf,
  printOf,
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

/** Rows that are indexed anew at once. */
const REINDEX_ROWS = 500

/** The store of a folder. */
export function sqliteStore({ writer, reader, onReindex, onClose }: SqliteStoreOptions): Store {
  const tables = openTables(declare)
  let closing: Promise<void> | null = null

  async function declare(collection: Collection<never>, names: readonly string[]): Promise<Declared> {
    const print = printOf(collection)
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
    table: DriverTable<Declared>,
    declared: Declared,
    id: string,
    row: Row,
    caps: readonly Cap[],
  ): Written {
    return {
      collection: declared.collection,
      id: encodePart(id),
      body: JSON.stringify(row),
      ...positionOf(table.collection, id, row as never),
      caps: caps.map(
        ({ name, index, eq, max, of }): WrittenCap => ({
          name,
          at: placeOf(table, index),
          eq: encodeKey(eq),
          max,
          isWeight: of === 'weight',
        }),
      ),
    }
  }

  return {
    async insert(collection, id, row, options) {
      const table = tables.of(collection)
      const copy = frozenCopy(row)
      const declared = await table.declared()
      const outcome = await writer.call<WriteOutcome>(
        'insert',
        written(table, declared, id, copy, options?.caps ?? []),
      )
      return resultOf(outcome, id, copy) as InsertResult<never>
    },
    async get(collection, id) {
      const table = tables.of(collection)
      const declared = await table.declared()
      const stored = await reader.call<Stored | null>('get', declared.collection, encodePart(id))
      return stored && (recordOf(stored) as StoreRecord<never>)
    },
    async swap(collection, id, revision, row, options) {
      const table = tables.of(collection)
      const copy = frozenCopy(row)
      const declared = await table.declared()
      const outcome = await writer.call<WriteOutcome>(
        'swap',
        written(table, declared, id, copy, options?.caps ?? []),
        revision,
      )
      return resultOf(outcome, id, copy) as SwapResult<never>
    },
    async remove(collection, id, revision) {
      const table = tables.of(collection)
      const declared = await table.declared()
      return writer.call<boolean>('remove', declared.collection, encodePart(id), revision)
    },
    async scan(collection, name, options) {
      const table = tables.of(collection)
      const at = placeOf(table, name)
      const { low, high, eq } = boundsOf(collection, name, options)
      const declared = await table.declared()
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
      tables.close()
      closing ??= onClose()
      return closing
    },
  }
}

const recordOf = ([id, revision, body]: Stored): StoreRecord<unknown> =>
  Object.freeze({ id: decodePart(id) as string, revision, row: frozenFromText(body) as Readonly<unknown> })

function resultOf(outcome: WriteOutcome, id: string, row: unknown) {
  if ('revision' in outcome)
    return { ok: true, record: Object.freeze({ id, revision: outcome.revision, row }) } as const
  if ('exists' in outcome) return { ok: false, exists: recordOf(outcome.exists) } as const
  return { ok: false, ...outcome } as const
}
