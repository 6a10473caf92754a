import type { Collection } from '@svc/state'
import { frozenFromText, type Position, positionOf, printOf } from '@svc/state/driver'
import type { Database } from './database.ts'
import { bytesOf, idFrom, lockOf } from './keys.ts'

/** A collection as this schema knows it. */
export interface Declared {
  /** The number of the declaration. */
  readonly n: number
  readonly collection: number
  /** The numbers of its indexes, in their order. */
  readonly indexes: readonly number[]
  /** The lock of its collection. */
  readonly lock: string
}

interface Row {
  readonly n: number
  readonly collection: number
  readonly indexes: number[]
  readonly built: Buffer
  readonly is_ready: boolean
}

interface Unindexed {
  readonly id: Buffer
  readonly whole: Buffer | null
  readonly revision: string | null
  readonly body: string | null
}

/** Rows that are indexed at once. */
const AT_ONCE = 500

/** Makes collections known, and keeps their rows in the indexes that this host declares. */
export function openDeclarations(
  database: Database,
  schema: string,
  onReindex?: (collection: string, rows: number) => void,
) {
  const declareText = `SELECT * FROM ${schema}.declare($1, $2, $3, $4)`
  const rowsText = `SELECT id, whole, revision, body FROM ${schema}.records
     WHERE collection = $1 AND id > (SELECT built FROM ${schema}.declarations WHERE n = $2) ORDER BY id LIMIT ${AT_ONCE}`
  const staleText = `SELECT s.id, r.whole, r.revision, r.body FROM (
       SELECT id FROM ${schema}.stale WHERE declaration = $2 ORDER BY id LIMIT ${AT_ONCE}
     ) AS s LEFT JOIN ${schema}.records AS r ON r.collection = $1 AND r.id = s.id ORDER BY s.id`
  const indexText = `SELECT ${schema}.index_rows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
  const readyText = `UPDATE ${schema}.declarations SET is_ready = true WHERE n = $1`
  const upkeepText = `UPDATE ${schema}.declarations SET seen_at = now() WHERE n = ANY ($1::int[])`
  const forgetText = `SELECT ${schema}.forget_declarations(), ${schema}.forget_writes()`
  const inUse = new Set<number>()

  /** Indexes rows as they were read; those written meanwhile are told by `stale`. */
  async function index(
    { collection: of }: { collection: Collection<never> },
    { n, collection, indexes, lock }: Declared,
    rows: readonly Unindexed[],
    isBuilding: boolean,
  ): Promise<void> {
    const positions = rows.map(({ id, whole, body }) =>
      body === null
        ? { entries: [], weight: 0 }
        : entriesOf(positionOf(of, idFrom(whole ?? id), frozenFromText(body) as never), indexes),
    )
    const entries = positions.flatMap((position) => position.entries)
    await database.run(indexText, () => [
      n,
      collection,
      lock,
      isBuilding ? rows.at(-1)?.id : null,
      rows.map(({ id }) => id),
      rows.map(({ revision }) => revision),
      positions.map(({ weight }) => weight),
      positions.map((position) => position.entries.length),
      entries.map(([number]) => number),
      entries.map(([, key]) => key),
    ])
  }

  /** Indexes what hosts with another declaration have written. */
  async function catchUp(collection: Collection<never>, declared: Declared): Promise<void> {
    for (;;) {
      const rows = await database.run<Unindexed>(staleText, () => [declared.collection, declared.n])
      if (rows.length === 0) return
      await index({ collection }, declared, rows, false)
    }
  }

  async function build(collection: Collection<never>, declared: Declared): Promise<void> {
    for (let done = 0; ; ) {
      const rows = await database.run<Unindexed>(rowsText, () => [declared.collection, declared.n])
      if (rows.length === 0) break
      await index({ collection }, declared, rows, true)
      done += rows.length
      onReindex?.(collection.name, done)
    }
    await database.run(readyText, () => [declared.n])
  }

  return {
    /** What a collection is known by; its rows are in its indexes then. */
    async declare(collection: Collection<never>, names: readonly string[]): Promise<Declared> {
      const lock = String(lockOf(schema, 'collection', collection.name))
      const print = printOf(collection)
      const [row] = await database.run<Row>(declareText, () => [collection.name, lock, print, names.length])
      if (!row) throw new Error(`PostgreSQL gave no declaration of ${collection.name}`)
      const declared = { n: row.n, collection: row.collection, indexes: row.indexes, lock }
      // A build may take longer than a declaration that nobody uses is kept.
      inUse.add(row.n)
      if (!row.is_ready) await build(collection, declared)
      return declared
    },
    catchUp,
    /** Says which declarations this host uses, and forgets those that none has used for an hour, and old tokens. */
    async upkeep(): Promise<void> {
      await database.run(upkeepText, () => [[...inUse]])
      await database.run(forgetText)
    },
  }
}

/** The entries of a row in the indexes with these numbers. */
export function entriesOf({ keys, weight }: Position, indexes: readonly number[]) {
  const entries = keys.flatMap((key, at) => (key === null ? [] : [[indexes[at], bytesOf(key)] as const]))
  return { entries, weight }
}
