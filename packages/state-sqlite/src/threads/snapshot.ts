import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { ByteText } from '@svc/state/driver'
import { bytesOf, textOf } from './bytes.ts'
import { numberOf, openReader } from './database.ts'
import { type Item, itemOf } from './journal-verbs.ts'
import { type Stored, storedOf } from './record-reads.ts'

/** A collection of a snapshot. */
export interface SnapshotCollection {
  readonly n: number
  readonly name: string
}

/** A journal of a snapshot. */
export interface SnapshotJournal {
  readonly n: number
  readonly name: ByteText
  readonly first: number
  readonly tail: number
}

/** Items of a snapshot. */
export interface SnapshotItem {
  readonly seq: number
  readonly at: number
  readonly item: string
}

/** What a page holds at most: bytes of text, unless one alone has more, and rows. */
const PAGE_BYTES = 1_048_576
const PAGE_ROWS = 500

/** How many of some sizes a page holds. */
function fitting(sizes: readonly number[]): number {
  let sum = 0
  const at = sizes.findIndex((size) => {
    sum += size
    return sum > PAGE_BYTES
  })
  return at < 0 ? sizes.length : Math.max(1, at)
}

/** Opens both files of a folder as they are at this moment, while others go on writing. */
export function openBoth(dir: string) {
  const records = openReader(path.join(dir, 'svc.db'))
  const journals = openReader(path.join(dir, 'journals.db'))
  // A transaction begins with its first read.
  for (const db of [records, journals]) db.exec('BEGIN')
  for (const db of [records, journals]) numberOf(db, 'SELECT count(*) FROM facts')
  return {
    records,
    journals,
    close() {
      for (const db of [records, journals]) db.close()
    },
  }
}

/** Rows of a statement in pages, by their sizes: `sizes` gives those of the next rows, `rows` so many of them. */
export function openPages(db: DatabaseSync, columns: string) {
  const recordSizes = db.prepare(
    'SELECT octet_length(body) AS size FROM records WHERE collection = ? AND id > ? ORDER BY id LIMIT ?',
  )
  const records = db.prepare(
    `SELECT ${columns} FROM records WHERE collection = ? AND id > ? ORDER BY id LIMIT ?`,
  )
  return (collection: number, after: ByteText) => {
    const id = bytesOf(after)
    const sizes = recordSizes.all(collection, id, PAGE_ROWS).map(({ size }) => size as number)
    return records.all(collection, id, fitting(sizes))
  }
}

/** The verbs of a snapshot that is copied. */
export function openSnapshotVerbs(records: DatabaseSync, journals: DatabaseSync) {
  const pages = openPages(records, 'id, revision, crc, body')
  const heads = journals.prepare(
    'SELECT n, name, first, tail FROM journals WHERE name > ? ORDER BY name LIMIT ?',
  )
  const sizes = journals.prepare(
    'SELECT bytes FROM items WHERE journal = ? AND seq >= ? ORDER BY seq LIMIT ?',
  )
  const items = journals.prepare(
    'SELECT seq, at, crc, item FROM items WHERE journal = ? AND seq >= ? ORDER BY seq LIMIT ?',
  )
  return {
    /** At least as high as any revision that was given. */
    revision: (): number => numberOf(records, "SELECT value FROM facts WHERE name = 'revisions'"),
    /** How many records and items there are, for who waits. */
    total: (): number =>
      numberOf(records, 'SELECT count(*) FROM records') + numberOf(journals, 'SELECT count(*) FROM items'),
    collections: (): SnapshotCollection[] =>
      records.prepare('SELECT n, name FROM collections').all() as unknown as SnapshotCollection[],
    /** The next records of a collection, by their ids. Throws `Damaged`. */
    records: (collection: number, after: ByteText): Stored[] =>
      pages(collection, after).map((row) => storedOf(row as never)),
    /** The next journals, by their names. */
    journals: (after: ByteText): SnapshotJournal[] =>
      heads
        .all(bytesOf(after), PAGE_ROWS)
        .map((head) => ({ ...(head as unknown as SnapshotJournal), name: textOf(head.name) })),
    /** The items of a journal from `seq` on. Throws `Damaged`. */
    items(journal: number, seq: number): SnapshotItem[] {
      const next = sizes.all(journal, seq, PAGE_ROWS).map(({ bytes }) => bytes as number)
      const found = items.all(journal, seq, fitting(next)) as unknown as (Item & { at: number })[]
      return found.map((item) => ({ ...itemOf(item), at: item.at }))
    },
  }
}
