import { randomUUID } from 'node:crypto'
import type { Store, StoreRecord } from '@svc/state'
import { Pool } from 'pg'
import { type Contender, compare, type Outcome } from '../lib/pairs.ts'
import { type Note, notes } from '../state/fill.ts'
import { inLanes, rate, type Servers } from './servers.ts'

const WRITERS = [1, 8, 32]
const WRITES = 320
const WARM_UP_WRITES = 640
/** As many as `openCluster` opens. */
const CONNECTIONS = 10

/** What `swap_row` takes of a row, as the row has it. */
interface Row {
  readonly declaration: number
  readonly collection: number
  readonly id: Buffer
  readonly weight: number
  readonly indexes: number[]
  readonly keys: Buffer[]
  revision: string
  note: Note
}

/** Compare-and-set of records in PostgreSQL, beside a bare `pg` that calls the same function. */
export async function compareSwaps(servers: Servers): Promise<Outcome[]> {
  const cluster = await servers.open()
  const pool = new Pool({ connectionString: servers.postgres.url, max: CONNECTIONS })
  try {
    const most = Math.max(...WRITERS)
    const ours = await insertNotes(cluster.store, 'ours', most)
    await insertNotes(cluster.store, 'bare', most)
    await insertNotes(cluster.store, 'twin', most)
    const bare = await bareRows(pool, 'bare')
    const twin = await bareRows(pool, 'twin')
    const outcomes: Outcome[] = []
    for (const writers of WRITERS) {
      const block = (write: (lane: number) => Promise<unknown>) => () =>
        rate(WRITES, () => inLanes(writers, WRITES, write))
      const contender = (name: string, write: (lane: number) => Promise<unknown>): Contender => ({
        name,
        block: block(write),
      })
      await inLanes(writers, WARM_UP_WRITES, (lane) => swapNote(cluster.store, ours, lane))
      outcomes.push(
        await compare({
          title: `compare-and-set in PostgreSQL, ${writers} at once`,
          unit: 'writes/s',
          better: 'more',
          aaWithin: 0.1,
          base: contender('bare pg, the same function', (lane) => swapBare(pool, bare, lane)),
          twin: contender('bare pg', (lane) => swapBare(pool, twin, lane)),
          others: [contender('svc (goal ≥ 0.85)', (lane) => swapNote(cluster.store, ours, lane))],
        }),
      )
    }
    return outcomes
  } finally {
    await pool.end()
    await cluster.close()
  }
}

async function insertNotes(store: Store, owner: string, count: number): Promise<StoreRecord<Note>[]> {
  const records: StoreRecord<Note>[] = []
  for (let n = 0; n < count; n++) {
    const written = await store.insert(notes, `${owner} ${n}`, { owner, title: `t${n}`, n: 0 })
    if (!written.ok) throw new Error(`the note ${n} of ${owner} was not written`)
    records.push(written.record)
  }
  return records
}

async function swapNote(store: Store, records: StoreRecord<Note>[], lane: number): Promise<void> {
  const { id, revision, row } = records[lane] as StoreRecord<Note>
  const written = await store.swap(notes, id, revision, { ...row, n: row.n + 1 })
  if (!written.ok) throw new Error(`${id} was written by nobody else, and the write was refused`)
  records[lane] = written.record
}

/** The rows of an owner, with what never changes of a write made beforehand. */
async function bareRows(pool: Pool, owner: string): Promise<Row[]> {
  const { rows } = await pool.query(
    `SELECT d.n AS declaration, r.collection, r.id, r.weight, r.indexes, r.keys, r.revision, r.body::json AS note
     FROM svc.records AS r JOIN svc.declarations AS d USING (collection) JOIN svc.collections AS c ON c.n = r.collection
     WHERE c.name = $1 AND r.body::json ->> 'owner' = $2 ORDER BY r.revision`,
    [notes.name, owner],
  )
  return rows
}

const SWAP = {
  name: 'bare_swap',
  text: `SELECT * FROM svc.swap_row(${Array.from({ length: 17 }, (_, n) => `$${n + 1}`).join(', ')})`,
}

async function swapBare(pool: Pool, rows: Row[], lane: number): Promise<void> {
  const row = rows[lane] as Row
  row.note = { ...row.note, n: row.note.n + 1 }
  const { rows: outcomes } = await pool.query<{ said: string; n: string }>({
    ...SWAP,
    values: [
      row.declaration,
      row.collection,
      '7',
      [],
      newToken(),
      false,
      row.id,
      row.revision,
      row.weight,
      row.indexes,
      row.keys,
      JSON.stringify(row.note),
      [],
      [],
      [],
      [],
      [],
    ],
  })
  const [outcome] = outcomes
  if (outcome?.said !== 'ok') throw new Error(`the write of lane ${lane} was refused: ${outcome?.said}`)
  row.revision = outcome.n
}

/** A number of 64 random bits. */
const newToken = () => {
  const uuid = randomUUID()
  return String(BigInt.asIntN(64, BigInt(`0x${uuid.slice(0, 4)}${uuid.slice(24)}`)))
}
