import type { DatabaseSync } from 'node:sqlite'
import { type ByteText, decodePart } from '@svc/state/driver'
import { bytesOf, itemSum, recordSum, textOf } from './bytes.ts'
import { numberOf } from './database.ts'
import type { Item } from './journal-verbs.ts'
import { openPages } from './snapshot.ts'

/** What was looked at in one go; `last` is where the next goes on, null at the end. */
export interface Checked<Place> {
  readonly problems: readonly string[]
  /** Records, entries or items. */
  readonly count: number
  readonly last: Place | null
}

/** The same of records, with their text where it was asked for. */
export interface CheckedRecords extends Checked<ByteText> {
  readonly rows: readonly (readonly [id: ByteText, body: string])[]
}

/** The place of an entry. */
export type EntryPlace = readonly [index: number, key: ByteText]

/** What a collection or the journals take. */
export interface FolderCounts {
  readonly collections: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[]
  readonly journals: { readonly count: number; readonly items: number; readonly bytes: number }
}

const ENTRIES = 1_000
const JOURNALS = 20
const ITEMS = 500
const INTEGRITY_PROBLEMS = 20

/** The checks of a snapshot: what SQLite itself does not know of its rows. */
export function openChecks(records: DatabaseSync, journals: DatabaseSync) {
  return {
    ...openRecordChecks(records),
    ...openJournalChecks(journals),
    ...openCountVerbs(records, journals),
    /** What SQLite says of a file. */
    integrity(file: 'svc.db' | 'journals.db'): string[] {
      const db = file === 'svc.db' ? records : journals
      const said = db.prepare(`PRAGMA integrity_check(${INTEGRITY_PROBLEMS})`).all()
      return said.map((row) => String(Object.values(row)[0])).filter((line) => line !== 'ok')
    },
  }
}

interface RecordRow {
  readonly n: number
  readonly id: Uint8Array
  readonly revision: number
  readonly crc: number
  readonly keys: string
  readonly body: string
}

interface EntryRow {
  readonly idx: number
  readonly key: Uint8Array
  readonly keys: string | null
  readonly name: string | null
}

function openRecordChecks(db: DatabaseSync) {
  const pages = openPages(db, 'n, id, revision, crc, keys, body')
  const indexes = db.prepare('SELECT n FROM indexes WHERE collection = ?')
  const collectionOf = db.prepare('SELECT name, declared FROM collections WHERE n = ?')
  const entry = db.prepare('SELECT record FROM entries WHERE idx = ? AND key = ?')
  const entries = db.prepare(`
    SELECT e.idx, e.key, r.keys, c.name || '.' || i.name AS name
    FROM entries e
    LEFT JOIN indexes i ON i.n = e.idx
    LEFT JOIN collections c ON c.n = i.collection
    LEFT JOIN records r ON r.n = e.record AND r.collection = i.collection
    WHERE (e.idx, e.key) > (?, ?) ORDER BY e.idx, e.key LIMIT ${ENTRIES}`)
  const highest = () => numberOf(db, "SELECT value FROM facts WHERE name = 'revisions'")

  /** How many entries of a record are missing. */
  function missingEntries({ n, keys }: RecordRow, numbers: readonly number[]): number {
    const wanted = keysOf(keys)
    const isThere = (index: number, key: ByteText) => entry.get(index, bytesOf(key))?.record === n
    const found = numbers.flatMap((index) => [...new Set(wanted)].filter((key) => isThere(index, key)))
    return wanted.length - found.length
  }

  return {
    /** The next records of a collection: their check sums, revisions and entries. */
    checkRecords(collection: number, after: ByteText, withRows: boolean): CheckedRecords {
      const { name, declared } = collectionOf.get(collection) as { name: string; declared: string }
      const numbers = indexes.all(collection).map(({ n }) => n as number)
      const found = pages(collection, after) as unknown as RecordRow[]
      const problems: string[] = []
      for (const row of found) {
        const what = `record ${shownId(row.id)} of ${JSON.stringify(name)}`
        if (recordSum(row.body, row.revision, row.id) !== row.crc)
          problems.push(`${what}: its check sum differs`)
        if (row.revision > highest()) problems.push(`${what}: its revision was never given`)
        // Where nothing is declared, the records are yet to be put into indexes.
        const missing = declared === '' ? 0 : missingEntries(row, numbers)
        if (missing !== 0) problems.push(`${what}: ${missing} of its index entries are missing`)
      }
      const last = found.at(-1)
      return {
        problems,
        count: found.length,
        rows: withRows ? found.map(({ id, body }) => [textOf(id), body] as const) : [],
        last: last ? textOf(last.id) : null,
      }
    },
    /** The next entries of indexes: whether they are of a record. */
    checkEntries(index: number, key: ByteText): Checked<EntryPlace> {
      const found = entries.all(index, bytesOf(key)) as unknown as EntryRow[]
      const problems: string[] = []
      for (const row of found) {
        const what = `index ${row.name ?? row.idx}: an entry`
        if (row.keys === null) problems.push(`${what} has no record`)
        else if (!keysOf(row.keys).includes(textOf(row.key)))
          problems.push(`${what} is not one of its record`)
      }
      const last = found.at(-1)
      return { problems, count: found.length, last: last ? [last.idx, textOf(last.key)] : null }
    },
  }
}

function openJournalChecks(db: DatabaseSync) {
  const heads = db.prepare(
    'SELECT n, name, first, tail, bytes FROM journals WHERE name > ? ORDER BY name LIMIT ?',
  )
  const items = db.prepare(
    `SELECT seq, bytes, crc, item FROM items WHERE journal = ? AND seq > ? ORDER BY seq LIMIT ${ITEMS}`,
  )

  interface Head {
    readonly n: number
    readonly name: Uint8Array
    readonly first: number
    readonly tail: number
    readonly bytes: number
  }

  function checkJournal({ n, name, first, tail, bytes }: Head, problems: string[]): number {
    const what = `journal ${shownId(name)}`
    let [next, sum, count] = [first, 0, 0]
    for (let after = -1; ; ) {
      const page = items.all(n, after) as unknown as Item[]
      for (const { seq, crc, item } of page) {
        if (seq !== next)
          problems.push(
            `${what}: ${seq > next ? `items ${next} to ${seq - 1} are missing` : `item ${seq} should be gone`}`,
          )
        if (itemSum(item, seq) !== crc) problems.push(`${what}: the check sum of item ${seq} differs`)
        next = Math.max(next, seq + 1)
        sum += Buffer.byteLength(item)
      }
      count += page.length
      const last = page.at(-1)
      if (!last) break
      after = last.seq
    }
    if (next <= tail) problems.push(`${what}: items ${next} to ${tail} are missing`)
    if (next > tail + 1) problems.push(`${what}: it has item ${next - 1}, and its highest is ${tail}`)
    if (sum !== bytes && problems.length === 0) problems.push(`${what}: it has ${sum} bytes, not ${bytes}`)
    return count
  }

  return {
    /** The next journals: whether all their items are there, and as they were written. */
    checkJournals(after: ByteText): Checked<ByteText> {
      const found = heads.all(bytesOf(after), JOURNALS) as unknown as Head[]
      const problems: string[] = []
      let count = 0
      for (const head of found) count += checkJournal(head, problems)
      const last = found.at(-1)
      return { problems, count, last: last ? textOf(last.name) : null }
    },
    /** How many items are of no journal. */
    strayItems: (): number =>
      numberOf(
        db,
        'SELECT count(*) FROM items WHERE journal NOT IN (SELECT n FROM journals UNION SELECT journal FROM dropped)',
      ),
  }
}

function openCountVerbs(records: DatabaseSync, journals: DatabaseSync) {
  return {
    /** What the collections and the journals take. */
    counts(): FolderCounts {
      const collections = records
        .prepare(`
          SELECT c.name, count(r.n) AS rows, coalesce(sum(octet_length(r.body)), 0) AS bytes
          FROM collections c LEFT JOIN records r ON r.collection = c.n GROUP BY c.n ORDER BY c.name`)
        .all()
      const sums = journals
        .prepare(
          'SELECT count(*) AS count, coalesce(sum(tail - first + 1), 0) AS items, coalesce(sum(bytes), 0) AS bytes FROM journals',
        )
        .get()
      return { collections, journals: sums } as unknown as FolderCounts
    },
  }
}

/** The keys of a record that are in an index. */
function keysOf(text: string): ByteText[] {
  try {
    return (JSON.parse(text) as (ByteText | null)[]).filter((key) => key !== null)
  } catch {
    return []
  }
}

function shownId(bytes: Uint8Array): string {
  try {
    return JSON.stringify(decodePart(textOf(bytes)))
  } catch {
    return 'of an id that cannot be read'
  }
}
