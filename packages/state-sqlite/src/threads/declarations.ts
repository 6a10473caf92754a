import type { DatabaseSync } from 'node:sqlite'
import type { ByteText } from '@svc/state/driver'
import { bytesOf } from './bytes.ts'
import { type Stored, storedOf } from './record-reads.ts'

/** A collection as this folder knows it. */
export interface Declared {
  readonly collection: number
  /** The numbers of its indexes, in the order in which they were declared. */
  readonly indexes: readonly number[]
  /** Whether its rows are in these indexes as they were declared; if not, they must be indexed anew. */
  readonly isCurrent: boolean
}

/** A row that is indexed anew. */
export interface Reindexed {
  readonly n: number
  readonly weight: number
  readonly keys: readonly (ByteText | null)[]
}

/** Rows of a collection after `n`, the last of which is row `to`. */
export interface RowsAfter {
  readonly rows: readonly (readonly [n: number, ...stored: Stored])[]
  readonly to: number | null
}

/** Keeps which collections and indexes there are, and whether their entries are those of the code that runs. */
export function openDeclarations(db: DatabaseSync) {
  const known = new Map<number, readonly number[]>()
  const find = db.prepare('SELECT n, declared FROM collections WHERE name = ?')
  const add = db.prepare("INSERT INTO collections (name, declared) VALUES (?, '')")
  const mark = db.prepare('UPDATE collections SET declared = ? WHERE n = ?')
  const findIndex = db.prepare('SELECT n FROM indexes WHERE collection = ? AND name = ?')
  const addIndex = db.prepare('INSERT INTO indexes (collection, name) VALUES (?, ?)')
  const hasRows = db.prepare('SELECT 1 FROM records WHERE collection = ? LIMIT 1')
  const rowsAfter = db.prepare(
    'SELECT n, id, revision, crc, body FROM records WHERE collection = ? AND n > ? ORDER BY n LIMIT ?',
  )
  const clear = db.prepare('DELETE FROM entries WHERE idx IN (SELECT n FROM indexes WHERE collection = ?)')
  const setKeys = db.prepare('UPDATE records SET keys = ?, weight = ? WHERE n = ?')
  const addEntry = db.prepare('INSERT INTO entries (idx, key, record) VALUES (?, ?, ?)')

  /** The numbers of the indexes of a collection that was declared. */
  function indexesOf(collection: number): readonly number[] {
    const indexes = known.get(collection)
    if (!indexes) throw new TypeError(`collection ${collection} was not declared`)
    return indexes
  }

  return {
    /** Makes the collection and its indexes known. `declared` tells one declaration from another. */
    declare(name: string, indexes: readonly string[], declared: string): Declared {
      const found = find.get(name)
      const collection = Number(found?.n ?? add.run(name).lastInsertRowid)
      const numbers = indexes.map((index) =>
        Number(findIndex.get(collection, index)?.n ?? addIndex.run(collection, index).lastInsertRowid),
      )
      known.set(collection, numbers)
      const isCurrent = found?.declared === declared || !hasRows.get(collection)
      if (isCurrent && found?.declared !== declared) mark.run(declared, collection)
      return { collection, indexes: numbers, isCurrent }
    },
    /** Rows that must be indexed anew, by their numbers. */
    rowsAfter(collection: number, after: number, limit: number): RowsAfter {
      const found = rowsAfter.all(collection, after, limit)
      const rows = found.map((row) => [row.n as number, ...storedOf(row as never)] as const)
      return { rows, to: (found.at(-1)?.n as number | undefined) ?? null }
    },
    /** Takes all entries of a collection out of its indexes. */
    clearEntries(collection: number): void {
      mark.run('', collection)
      clear.run(collection)
    },
    /** Puts rows into the indexes of their collection, in which they are not. */
    reindex(collection: number, rows: readonly Reindexed[]): void {
      const indexes = indexesOf(collection)
      for (const { n, weight, keys } of rows) {
        setKeys.run(JSON.stringify(keys), weight, n)
        for (const [at, index] of indexes.entries()) {
          const key = keys[at] ?? null
          if (key !== null) addEntry.run(index, bytesOf(key), n)
        }
      }
    },
    /** Says that all rows are in the indexes as declared. */
    declareDone(collection: number, declared: string): void {
      mark.run(declared, collection)
    },
    indexesOf,
  }
}
