import type { Cap, InsertResult, Store, StoreRecord, SwapResult } from '@svc/state'
import {
  boundsOf,
  type DriverTable,
  encodeCursor,
  encodeKey,
  frozenCopy,
  frozenFromText,
  openTables,
  placeOf,
  positionOf,
} from '@svc/state/driver'
import { DatabaseError } from 'pg'
import type { Database } from './database.ts'
import { type Declared, entriesOf, openDeclarations } from './declare.ts'
import { bytesOf, CUT, endOf, idFrom, idOf, lockOf, newToken, sortedLocks, textOf } from './keys.ts'

/** What a store on PostgreSQL is made of. */
export interface PostgresStoreOptions {
  readonly database: Database
  /** The schema that its tables are in. */
  readonly schema: string
  /** Hears of work on a collection whose indexes changed: rows done. */
  readonly onReindex?: ((collection: string, rows: number) => void) | undefined
}

/** What a write came to. */
interface Outcome {
  readonly said: 'ok' | 'exists' | 'lost' | 'full'
  readonly n: string
  readonly whole: Buffer
  readonly body: string
}

interface Stored {
  readonly id: Buffer
  readonly revision: string
  readonly body: string
}

/** A row of a page, or the one row that says why there is no page. */
interface Scanned extends Stored {
  readonly trouble: 'forgotten' | 'stale' | null
  readonly key: Buffer | null
  readonly rest: Buffer
}

/** What the functions of the schema throw: the declaration is forgotten; rows are not indexed yet. */
const FORGOTTEN = 'SV001'
const STALE = 'SV002'

/** The store in a schema of PostgreSQL. */
export function postgresStore({ database, schema, onReindex }: PostgresStoreOptions): Store & {
  readonly upkeep: () => Promise<void>
} {
  const declarations = openDeclarations(database, schema, onReindex)
  const tables = openTables(declarations.declare)
  const call = (name: string, count: number) =>
    `SELECT * FROM ${schema}.${name}(${Array.from({ length: count }, (_, n) => `$${n + 1}`).join(', ')})`
  const insertRow = call('insert_row', 18)
  const swapRow = call('swap_row', 17)
  const removeRow = call('remove_row', 6)
  const getRow = `SELECT coalesce(whole, id) AS id, revision, body FROM ${schema}.records WHERE collection = $1 AND id = $2`
  const scans = { asc: call('scan_asc', 8), desc: call('scan_desc', 8) }

  /** Runs what needs the declaration of a table, again where that has been forgotten or rows must be indexed first. */
  async function declaredFor<Result>(
    table: DriverTable<Declared>,
    work: (declared: Declared) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      const declared = await table.declared()
      try {
        return await work(declared)
      } catch (error) {
        const code = error instanceof DatabaseError ? error.code : null
        if (code === FORGOTTEN) table.forget()
        else if (code === STALE) await declarations.catchUp(table.collection, declared)
        else throw error
      }
    }
  }

  /** The row as its function takes it. */
  function written(
    table: DriverTable<Declared>,
    { indexes }: Declared,
    id: string,
    row: unknown,
    caps: readonly Cap[],
  ) {
    const { entries, weight } = entriesOf(positionOf(table.collection, id, row as never), indexes)
    const eqs = caps.map(({ eq }) => encodeKey(eq))
    const locks = caps.map(({ index }, at) =>
      lockOf(schema, 'cap', table.collection.name, index, eqs[at] ?? ''),
    )
    return {
      locks: sortedLocks(locks),
      row: [weight, entries.map(([index]) => index), entries.map(([, key]) => key), JSON.stringify(row)],
      caps: [
        caps.map(({ index }) => indexes[placeOf(table, index)]),
        eqs.map(bytesOf),
        eqs.map(endOf),
        caps.map(({ max }) => max),
        caps.map(({ of }) => of === 'weight'),
      ],
    }
  }

  const scan: Store['scan'] = async (collection, name, options) => {
    const table = tables.of(collection)
    const at = placeOf(table, name)
    const { low, high, eq } = boundsOf(collection, name, options)
    const declared = await table.declared()
    const rows = await database.run<Scanned>(scans[options.order ?? 'asc'], () => [
      declared.n,
      declared.collection,
      declared.indexes[at],
      bytesOf(low.slice(0, CUT)),
      bytesOf(high.slice(0, CUT)),
      bytesOf(low),
      bytesOf(high),
      Math.min(options.limit, 1e15) + 1,
    ])
    const trouble = rows[0]?.trouble
    if (trouble === 'forgotten') table.forget()
    if (trouble === 'stale') await declarations.catchUp(table.collection, declared)
    if (trouble) return scan(collection, name, options)
    const found = rows.filter(({ key }) => key !== null)
    const page = found.slice(0, options.limit)
    const last = found.length > page.length ? page.at(-1) : undefined
    const rest = last?.key && textOf(Buffer.concat([last.key, last.rest])).slice(eq.length)
    const next = rest ? encodeCursor(collection.name, name, rest) : null
    return { rows: page.map(recordOf) as StoreRecord<never>[], next }
  }

  return {
    async insert(collection, id, row, { caps = [] } = {}) {
      const table = tables.of(collection)
      const copy = frozenCopy(row)
      const { id: short, whole } = idOf(id)
      const token = newToken()
      return declaredFor(table, async (declared) => {
        const w = written(table, declared, id, copy, caps as readonly Cap[])
        const idLock = String(lockOf(schema, 'id', collection.name, short))
        const [outcome] = await database.run<Outcome>(insertRow, (isAgain) => [
          declared.n,
          declared.collection,
          declared.lock,
          idLock,
          w.locks,
          token,
          isAgain,
          short,
          whole,
          ...w.row,
          ...w.caps,
        ])
        return resultOf(outcome, id, copy, caps as readonly Cap[]) as InsertResult<never>
      })
    },
    async get(collection, id) {
      const table = tables.of(collection)
      const declared = await table.declared()
      const [stored] = await database.run<Stored>(getRow, () => [declared.collection, idOf(id).id])
      return stored ? (recordOf(stored) as StoreRecord<never>) : null
    },
    async swap(collection, id, revision, row, { caps = [] } = {}) {
      const table = tables.of(collection)
      const copy = frozenCopy(row)
      const token = newToken()
      return declaredFor(table, async (declared) => {
        const w = written(table, declared, id, copy, caps as readonly Cap[])
        const [outcome] = await database.run<Outcome>(swapRow, (isAgain) => [
          declared.n,
          declared.collection,
          declared.lock,
          w.locks,
          token,
          isAgain,
          idOf(id).id,
          revision,
          ...w.row,
          ...w.caps,
        ])
        return resultOf(outcome, id, copy, caps as readonly Cap[]) as SwapResult<never>
      })
    },
    async remove(collection, id, revision) {
      const table = tables.of(collection)
      const declared = await table.declared()
      const token = newToken()
      const [done] = await database.run<{ remove_row: boolean }>(removeRow, (isAgain) => [
        declared.collection,
        declared.lock,
        token,
        isAgain,
        idOf(id).id,
        revision,
      ])
      return done?.remove_row === true
    },
    scan,
    trouble: database.trouble,
    upkeep: declarations.upkeep,
    async close() {
      tables.close()
    },
  }
}

const recordOf = ({ id, revision, body }: Stored): StoreRecord<unknown> =>
  Object.freeze({
    id: idFrom(id),
    revision: Number(revision),
    row: frozenFromText(body) as Readonly<unknown>,
  })

function resultOf(outcome: Outcome | undefined, id: string, row: unknown, caps: readonly Cap[]) {
  if (!outcome) throw new Error('PostgreSQL gave no outcome of a write')
  const { said, n, whole, body } = outcome
  if (said === 'ok') return { ok: true, record: Object.freeze({ id, revision: Number(n), row }) } as const
  if (said === 'exists') return { ok: false, exists: recordOf({ id: whole, revision: n, body }) } as const
  if (said === 'lost') return { ok: false, lost: true } as const
  return { ok: false, full: caps[Number(n) - 1]?.name ?? '' } as const
}
