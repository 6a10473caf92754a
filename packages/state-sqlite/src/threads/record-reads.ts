import type { DatabaseSync } from 'node:sqlite'
import type { ByteText } from '@svc/state/driver'
import { bytesOf, sumOf, textOf } from './bytes.ts'
import { Damaged } from './failure.ts'

/** A stored row: its id, revision and JSON text. */
export type Stored = readonly [id: ByteText, revision: number, body: string]

/** What a scan walks over: entries of one index with `low <= key < high`. */
export interface ScanRange {
  readonly index: number
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
  readonly key: Uint8Array
}

/** Reads what has been committed, and what the same connection is about to. */
export function openRecordReads(db: DatabaseSync) {
  const get = db.prepare('SELECT id, revision, crc, body FROM records WHERE collection = ? AND id = ?')
  const scan = (order: string) =>
    db.prepare(`
      SELECT e.key, r.id, r.revision, r.crc, r.body FROM entries e JOIN records r ON r.n = e.record
      WHERE e.idx = ? AND e.key >= ? AND e.key < ? ORDER BY e.key ${order} LIMIT ?`)
  const scans = { asc: scan('ASC'), desc: scan('DESC') }

  return {
    get(collection: number, id: ByteText): Stored | null {
      const row = get.get(collection, bytesOf(id))
      return row ? storedOf(row as unknown as Row) : null
    },
    scan({ index, low, high, order, limit }: ScanRange): ScanPage {
      const found = scans[order].all(index, bytesOf(low), bytesOf(high), limit + 1) as unknown as Row[]
      const rows = found.slice(0, limit)
      const last = found.length > limit ? rows.at(-1) : undefined
      return { rows: rows.map(storedOf), last: last ? textOf(last.key) : null }
    },
  }
}

/** Throws `Damaged` where the text is not the one that was written. */
export function storedOf({ id, revision, crc, body }: Omit<Row, 'key'>): Stored {
  if (sumOf(body, revision) !== crc)
    throw new Damaged(`the row with revision ${revision} is not what was written: its check sum differs`)
  return [textOf(id), revision, body]
}
