import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

/** What one write of the measurement holds, as text. */
export const bodyOf = (n: number): string => JSON.stringify({ owner: 'ann', title: `t${n % 64}`, n })

/** The entries of a row in two indexes, as text. */
const keysOf = (n: number): string => JSON.stringify([`ann t${n % 64}`, `t${n % 64}`])

/**
 * Bare `node:sqlite` with the table and the statements that a folder has for the same rows: compare-and-set of a row by its
 * id, `batch` of them a transaction that survives a power cut. Nobody waits for it, and nothing crosses a thread.
 */
export function openBareRows(file: string, rows: number) {
  const db = open(file, 'FULL')
  db.exec(
    `CREATE TABLE records (n INTEGER PRIMARY KEY, collection INTEGER NOT NULL, id BLOB NOT NULL, revision INTEGER NOT NULL,
      weight REAL NOT NULL, crc INTEGER NOT NULL, keys TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (collection, id)) STRICT`,
  )
  const add = db.prepare(
    'INSERT INTO records (collection, id, revision, weight, crc, keys, body) VALUES (1, ?, 1, 0, 0, ?, ?)',
  )
  const look = db.prepare(
    'SELECT n, collection, id, revision, weight, keys FROM records WHERE collection = ? AND id = ?',
  )
  const change = db.prepare(
    'UPDATE records SET revision = ?, weight = ?, crc = ?, keys = ?, body = ? WHERE n = ?',
  )
  const ids = Array.from({ length: rows }, (_, n) => Buffer.from(`k${n}`))
  for (const id of ids) add.run(id, keysOf(0), bodyOf(0))
  return {
    /** Swaps every row once, in one transaction. */
    swapAll(n: number): void {
      db.exec('BEGIN IMMEDIATE')
      for (const id of ids) {
        const row = look.get(1, id)
        const body = bodyOf(n)
        change.run(Number(row?.revision) + 1, 0, crc32(body), keysOf(n), body, Number(row?.n))
      }
      db.exec('COMMIT; PRAGMA wal_checkpoint(PASSIVE)')
    },
    close: () => db.close(),
  }
}

/** The same for items of journals, which survive a killed process. */
export function openBareItems(file: string, journals: number) {
  const db = open(file, 'NORMAL')
  db.exec(
    'CREATE TABLE items (journal INTEGER, seq INTEGER, item TEXT, PRIMARY KEY (journal, seq)) WITHOUT ROWID',
  )
  const add = db.prepare('INSERT INTO items (journal, seq, item) VALUES (?, ?, ?)')
  return {
    /** Appends one item to each journal, in one transaction. */
    appendAll(seq: number, item: string): void {
      db.exec('BEGIN IMMEDIATE')
      for (let journal = 0; journal < journals; journal++) add.run(journal, seq, item)
      db.exec('COMMIT')
    },
    close: () => db.close(),
  }
}

function open(file: string, synchronous: string): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
  return db
}
