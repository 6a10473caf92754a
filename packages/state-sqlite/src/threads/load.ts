import type { DatabaseSync } from 'node:sqlite'
import type { ByteText } from '@svc/state/driver'
import { bytesOf, itemSum, recordSum } from './bytes.ts'
import type { Stored } from './record-reads.ts'
import type { SnapshotItem } from './snapshot.ts'

/** A journal that is loaded; its items follow. */
export interface LoadedJournal {
  readonly name: ByteText
  readonly first: number
  readonly tail: number
}

/** The verbs that fill a new folder. Records are put into indexes when their collection is first declared. */
export function openLoadVerbs(records: DatabaseSync, journals: DatabaseSync) {
  const numbers = new Map<string, number>()
  const setRevision = records.prepare("INSERT INTO facts (name, value) VALUES ('revisions', ?)")
  const addCollection = records.prepare("INSERT INTO collections (name, declared) VALUES (?, '')")
  const addRecord = records.prepare(
    "INSERT INTO records (collection, id, revision, weight, crc, keys, body) VALUES (?, ?, ?, 0, ?, '[]', ?)",
  )
  const addJournal = journals.prepare('INSERT INTO journals (name, first, tail, bytes) VALUES (?, ?, ?, 0)')
  const addItem = journals.prepare(
    'INSERT INTO items (journal, seq, at, bytes, crc, item) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const addBytes = journals.prepare('UPDATE journals SET bytes = bytes + ? WHERE n = ?')
  let journal = 0

  function numberOfCollection(name: string): number {
    const known = numbers.get(name)
    if (known !== undefined) return known
    const n = Number(addCollection.run(name).lastInsertRowid)
    numbers.set(name, n)
    return n
  }

  return {
    setRevision(revision: number): void {
      setRevision.run(String(revision))
    },
    addRecords(collection: string, rows: readonly Stored[]): void {
      const n = numberOfCollection(collection)
      for (const [idText, revision, body] of rows) {
        const id = bytesOf(idText)
        addRecord.run(n, id, revision, recordSum(body, revision, id), body)
      }
    },
    /** Adds journals and items; an item is of the journal before it. */
    addJournals(lines: readonly (LoadedJournal | SnapshotItem)[]): void {
      for (const line of lines) {
        if ('name' in line) {
          journal = Number(addJournal.run(bytesOf(line.name), line.first, line.tail).lastInsertRowid)
          continue
        }
        const bytes = Buffer.byteLength(line.item)
        addItem.run(journal, line.seq, line.at, bytes, itemSum(line.item, line.seq), line.item)
        addBytes.run(bytes, journal)
      }
    },
    /** Has the disk keep all of it. */
    sync(): void {
      for (const db of [records, journals]) db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
  }
}
