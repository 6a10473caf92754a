import type { DatabaseSync } from 'node:sqlite'
import type { ByteText } from '@svc/state/driver'
import { bytesOf, recordSum } from './bytes.ts'
import { openCounts } from './counts.ts'
import { openDeclarations } from './declarations.ts'
import { checkFound, keysOf, type Stored, storedOf } from './record-reads.ts'

/** A row on its way in. */
export interface Written {
  readonly collection: number
  readonly id: ByteText
  readonly body: string
  readonly weight: number
  /** Its entry in each index of the collection, in their order. */
  readonly keys: readonly (ByteText | null)[]
  readonly caps: readonly WrittenCap[]
}

/** A cap, with its index by the place among those of the collection. */
export interface WrittenCap {
  readonly name: string
  readonly at: number
  readonly eq: ByteText
  readonly max: number
  readonly isWeight: boolean
}

/** What a write came to: the new revision, or why nothing was written. */
export type WriteOutcome = { revision: number } | { exists: Stored } | { full: string } | { lost: true }

/** Where a row is in the indexes, and what it weighs. */
interface Position {
  readonly keys: readonly (ByteText | null)[]
  readonly weight: number
}

interface Before extends Position {
  readonly n: number
}

const NOWHERE: Position = { keys: [], weight: 0 }
/** Revisions that are reserved at once, so that none is given twice though few are written down. */
const REVISIONS = 1_048_576

/** The writes of the store. Each judges first and then writes, so that a refusal leaves nothing behind. */
export function openRecordWrites(db: DatabaseSync) {
  const counts = openCounts(db)
  const declarations = openDeclarations(db)
  const find = db.prepare(
    'SELECT collection, id, revision, crc, body FROM records WHERE collection = ? AND id = ?',
  )
  const look = db.prepare(
    'SELECT n, collection, id, revision, weight, keys FROM records WHERE collection = ? AND id = ?',
  )
  const add = db.prepare(
    'INSERT INTO records (collection, id, revision, weight, crc, keys, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const change = db.prepare(
    'UPDATE records SET revision = ?, weight = ?, crc = ?, keys = ?, body = ? WHERE n = ?',
  )
  const take = db.prepare('DELETE FROM records WHERE n = ?')
  const addEntry = db.prepare('INSERT INTO entries (idx, key, record) VALUES (?, ?, ?)')
  const takeEntry = db.prepare('DELETE FROM entries WHERE idx = ? AND key = ?')
  const reserve = db.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('revisions', ?)")
  const reserved = db.prepare("SELECT value FROM facts WHERE name = 'revisions'")

  let revision = 0
  let revisionsEnd = 0

  function nextRevision(): number {
    if (revision >= revisionsEnd) {
      revision = Number(reserved.get()?.value ?? 0)
      revisionsEnd = revision + REVISIONS
      reserve.run(String(revisionsEnd))
    }
    revision += 1
    return revision
  }

  function fullCap(
    { caps, keys, weight }: Written,
    indexes: readonly number[],
    before: Position,
  ): string | null {
    for (const { name, at, eq, max, isWeight } of caps) {
      const index = indexes[at] as number
      const isUnder = (position: Position) => position.keys[at]?.startsWith(eq) ?? false
      const added = (isUnder({ keys, weight }) ? weight : 0) - (isUnder(before) ? before.weight : 0)
      const isFull = isWeight
        ? added > 0 && counts.weight(index, eq) + added > max
        : isUnder({ keys, weight }) && !isUnder(before) && counts.rows(index, eq) >= max
      if (isFull) return name
    }
    return null
  }

  function move(n: number, indexes: readonly number[], before: Position, next: Position): void {
    for (const [at, index] of indexes.entries()) {
      const [old = null, key = null] = [before.keys[at], next.keys[at]]
      if (old !== null && old === key) {
        if (before.weight !== next.weight) counts.move(index, key, 0, next.weight - before.weight)
        continue
      }
      if (old !== null) {
        takeEntry.run(index, bytesOf(old))
        counts.move(index, old, -1, -before.weight)
      }
      if (key !== null) {
        addEntry.run(index, bytesOf(key), n)
        counts.move(index, key, 1, next.weight)
      }
    }
  }

  function before(collection: number, id: ByteText, expected: number): Before | null {
    const row = look.get(collection, bytesOf(id))
    if (row) checkFound(row as never, collection, id)
    if (row?.revision !== expected) return null
    return { n: row.n as number, weight: row.weight as number, keys: keysOf(row.keys as string) }
  }

  return {
    ...declarations,
    insert(written: Written): WriteOutcome {
      const { collection, id, body, weight, keys } = written
      const there = find.get(collection, bytesOf(id))
      if (there) {
        checkFound(there as never, collection, id)
        return { exists: storedOf(there as never) }
      }
      const indexes = declarations.indexesOf(collection)
      const full = fullCap(written, indexes, NOWHERE)
      if (full !== null) return { full }
      const revision = nextRevision()
      const { lastInsertRowid } = add.run(
        collection,
        bytesOf(id),
        revision,
        weight,
        recordSum(body, revision, bytesOf(id)),
        JSON.stringify(keys),
        body,
      )
      move(Number(lastInsertRowid), indexes, NOWHERE, written)
      return { revision }
    },
    swap(written: Written, expected: number): WriteOutcome {
      const { collection, id, body, weight, keys } = written
      const old = before(collection, id, expected)
      if (!old) return { lost: true }
      const indexes = declarations.indexesOf(collection)
      const full = fullCap(written, indexes, old)
      if (full !== null) return { full }
      const revision = nextRevision()
      change.run(revision, weight, recordSum(body, revision, bytesOf(id)), JSON.stringify(keys), body, old.n)
      move(old.n, indexes, old, written)
      return { revision }
    },
    remove(collection: number, id: ByteText, expected: number): boolean {
      const old = before(collection, id, expected)
      if (!old) return false
      take.run(old.n)
      move(old.n, declarations.indexesOf(collection), old, NOWHERE)
      return true
    },
    /** What was written since the last commit is undone. */
    undone(): void {
      counts.clear()
      // The rest of the block is left out: some of them may have been told.
      revision = revisionsEnd
    },
  }
}
