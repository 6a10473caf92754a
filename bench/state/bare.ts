import { DatabaseSync } from 'node:sqlite'

/** What one write of the measurement holds, as text. */
export const bodyOf = (n: number): string => JSON.stringify({ owner: 'ann', title: `t${n % 64}`, n })

/**
 * `node:sqlite` doing the least for the same rows: compare-and-set of a row by its id, `batch` of them a transaction that
 * survives a power cut.
 */
export function openBareRows(file: string, rows: number) {
  const db = open(file, 'FULL')
  db.exec(
    'CREATE TABLE rows (n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, revision INTEGER NOT NULL, body TEXT NOT NULL)',
  )
  const add = db.prepare('INSERT INTO rows (id, revision, body) VALUES (?, 1, ?)')
  const look = db.prepare('SELECT n, revision FROM rows WHERE id = ?')
  const change = db.prepare('UPDATE rows SET revision = ?, body = ? WHERE n = ?')
  const ids = Array.from({ length: rows }, (_, n) => Buffer.from(`k${n}`))
  for (const id of ids) add.run(id, bodyOf(0))
  return {
    /** Swaps every row once, in one transaction. */
    swapAll(n: number): void {
      db.exec('BEGIN IMMEDIATE')
      for (const id of ids) {
        const row = look.get(id)
        change.run(Number(row?.revision) + 1, bodyOf(n), Number(row?.n))
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
