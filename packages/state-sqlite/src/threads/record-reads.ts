import type { DatabaseSync } from 'node:sqlite'
import type { ByteText } from '@svc/state/driver'
import { bytesOf, recordSum, textOf } from './bytes.ts'
import { Damaged } from './failure.ts'

/** A stored row: its id, revision and JSON text. */
export type Stored = readonly [id: ByteText, revision: number, body: string]

/** What a scan walks over: entries of one index with `low <= key < high`. */
export interface ScanRange {
  readonly index: number
  /** Its place among the indexes of the collection. */
  readonly at: number
  readonly low: ByteText
  readonly high: ByteText
  readonly order: 'asc' | 'desc'
  readonly limit: number
}

/** A page of a scan: the rows, and the entry of the last one where others follow. */
export interface ScanPage {
  readonly rows: readonly Stored[]
  readonly last: ByteText | null
}

interface Row {
  readonly id: Uint8Array
  readonly revision: number
  readonly crc: number
  readonly body: string
}

/** A row with where it is. */
interface Found extends Row {
  readonly collection: number
}

/** A row by its entry in an index. */
interface Scanned extends Row {
  readonly key: Uint8Array
  /** JSON of its entries in all indexes. */
  readonly keys: string
}

/** Reads what has been committed, and what the same connection is about to. */
export function openRecordReads(db: DatabaseSync) {
  const get = db.prepare(
    'SELECT collection, id, revision, crc, body FROM records WHERE collection = ? AND id = ?',
  )
  const scan = (order: string) =>
    db.prepare(`
      SELECT e.key, r.id, r.revision, r.crc, r.keys, r.body FROM entries e JOIN records r ON r.n = e.record
      WHERE e.idx = ? AND e.key >= ? AND e.key < ? ORDER BY e.key ${order} LIMIT ?`)
  const scans = { asc: scan('ASC'), desc: scan('DESC') }

  return {
    get(collection: number, id: ByteText): Stored | null {
      const row = get.get(collection, bytesOf(id))
      if (!row) return null
      checkFound(row as unknown as Found, collection, id)
      return storedOf(row as unknown as Row)
    },
    scan({ index, at, low, high, order, limit }: ScanRange): ScanPage {
      const found = scans[order].all(index, bytesOf(low), bytesOf(high), limit + 1) as unknown as Scanned[]
      for (const row of found) checkScanned(row, at)
      const rows = found.slice(0, limit)
      const last = found.length > limit ? rows.at(-1) : undefined
      return { rows: rows.map(storedOf), last: last ? textOf(last.key) : null }
    },
  }
}

/** Throws `Damaged` where an index led to another record than the one that was looked for. */
export function checkFound(
  { collection, id }: Pick<Found, 'collection' | 'id'>,
  asked: number,
  askedId: ByteText,
): void {
  if (collection !== asked || textOf(id) !== askedId)
    throw new Damaged('an index leads to another record than the one that was asked for')
}

/** Throws `Damaged` where the entry of an index is not the one that its record has. */
function checkScanned({ key, keys }: Scanned, at: number): void {
  if (keysOf(keys)[at] !== textOf(key))
    throw new Damaged('an entry of an index is not the one that was written')
}

/** The entries that a record has in the indexes of its collection. Throws `Damaged`. */
export function keysOf(text: string): (ByteText | null)[] {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Damaged('the entries of a record in its indexes are not what was written', { cause: error })
  }
}

/** Throws `Damaged` where the text is not the one that was written. */
export function storedOf({ id, revision, crc, body }: Row): Stored {
  if (typeof body !== 'string' || recordSum(body, revision, id) !== crc)
    throw new Damaged(`the row with revision ${revision} is not what was written: its check sum differs`)
  return [textOf(id), revision, body]
}
