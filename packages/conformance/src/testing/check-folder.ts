import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Looks at a folder that no process has open, by SQL of its own; returns what is wrong, one sentence each. */
export function whatIsWrong(dir: string): string[] {
  return [
    ...withDatabase(path.join(dir, 'svc.db'), wrongRecords),
    ...withDatabase(path.join(dir, 'journals.db'), wrongJournals),
    ...wrongBlobs(path.join(dir, 'blobs')),
  ]
}

function withDatabase(file: string, look: (db: DatabaseSync) => string[]): string[] {
  const db = new DatabaseSync(file)
  try {
    const [{ integrity_check }] = db.prepare('PRAGMA integrity_check(5)').all() as [
      { integrity_check: string },
    ]
    return integrity_check === 'ok' ? look(db) : [`${file}: ${integrity_check}`]
  } catch (error) {
    return [`${file}: ${error}`]
  } finally {
    db.close()
  }
}

function wrongRecords(db: DatabaseSync): string[] {
  const wrong: string[] = []
  const entries = new Set<string>()
  const rows = db.prepare('SELECT idx, key, record FROM entries').all()
  for (const { idx, key, record } of rows as { idx: number; key: Uint8Array; record: number }[])
    entries.add(`${record} ${idx} ${Buffer.from(key).toString('latin1')}`)
  const indexes = db.prepare('SELECT n FROM indexes WHERE collection = ? ORDER BY n')
  for (const { n, collection, keys, body } of db
    .prepare('SELECT n, collection, keys, body FROM records')
    .all()) {
    if (fromJson(body) === undefined) wrong.push(`record ${n} is not JSON`)
    for (const [at, key] of ((fromJson(keys) ?? []) as (string | null)[]).entries()) {
      const index = indexes.all(collection as number)[at]?.n
      if (key !== null && !entries.delete(`${n} ${index} ${key}`))
        wrong.push(`record ${n} is not in index ${index}`)
    }
  }
  return [
    ...wrong,
    ...[...entries].map((entry) => `there is no record for the entry ${JSON.stringify(entry)}`),
  ]
}

function wrongJournals(db: DatabaseSync): string[] {
  const heads = db.prepare(`
    SELECT j.n, j.first, j.tail, j.bytes, count(i.seq) AS found, min(i.seq) AS low, max(i.seq) AS high,
      total(i.bytes) AS size
    FROM journals j LEFT JOIN items i ON i.journal = j.n GROUP BY j.n`)
  const lone = db.prepare(`
    SELECT DISTINCT journal FROM items
    WHERE journal NOT IN (SELECT n FROM journals) AND journal NOT IN (SELECT journal FROM dropped)`)
  const wrong = heads.all().filter(({ first, tail, bytes, found, low, high, size }) => {
    const wanted = (tail as number) - (first as number) + 1
    const isWhole = found === wanted && (wanted === 0 || (low === first && high === tail))
    return !isWhole || bytes !== size
  })
  return [
    ...wrong.map((head) => `a journal is not what its head says: ${JSON.stringify(head)}`),
    ...lone.all().map(({ journal }) => `there are items of journal ${journal}, which is not there`),
  ]
}

function wrongBlobs(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const file = path.join(parentPath, name)
      const digest = path.basename(parentPath) + name
      const found = createHash('sha256').update(readFileSync(file)).digest('hex')
      return found === digest ? [] : [`${file} is not the blob of its name`]
    })
}

function fromJson(text: unknown): unknown {
  try {
    return JSON.parse(text as string)
  } catch {
    return undefined
  }
}
