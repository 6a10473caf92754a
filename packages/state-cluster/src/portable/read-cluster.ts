import type { Piece, Pieces } from '@svc/state/portable'
import { NEWEST } from '../postgres/migrate.ts'
import { ClusterError } from './cluster-error.ts'
import { countItems, journalNames, readJournals } from './read-journals.ts'
import { readBlobs, readRecords } from './read-records.ts'
import { type ClusterServers, type Connections, connectServers } from './servers.ts'

/** The state of several hosts as it was when it was read. */
export interface ClusterSnapshot {
  /** How many pieces there are, about. */
  readonly total: number
  /** The state as it was; for one reader. Throws `StoreError` and `BusError` where a server goes away meanwhile. */
  readonly pieces: Pieces
  /** Lets it go; twice is harmless. */
  close(): Promise<void>
}

/**
 * Opens a snapshot of what several hosts share, while they go on writing. Records and blobs are those of one moment, each
 * journal is whole, as it is a little later. PostgreSQL keeps what is deleted until the snapshot is closed. Throws
 * `ClusterError`, `StoreError` and `BusError`.
 *
 * @example
 * ```ts
 * const snapshot = await readCluster({ postgres: 'postgres://svc@127.0.0.1/svc', redis: 'redis://127.0.0.1' })
 * await pipeline(writeState(snapshot.pieces), createWriteStream('backup.tar', { mode: 0o600 }))
 * await snapshot.close()
 * ```
 */
export async function readCluster(servers: ClusterServers): Promise<ClusterSnapshot> {
  const connections = await connectServers(servers)
  const { name, run, ask, close } = connections
  try {
    await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await refuseOther(connections)
    const [counts] = await run<{ records: string; blobs: string }>(
      `SELECT (SELECT count(*) FROM ${name}.records) AS records, (SELECT count(*) FROM ${name}.blobs) AS blobs`,
    )
    const names = await journalNames(ask, name)
    const items = await countItems(ask, name, names)
    return {
      total: Number(counts?.records) + Number(counts?.blobs) + items,
      pieces: piecesOf(connections, names),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function* piecesOf({ name, run, ask }: Connections, names: readonly string[]): AsyncGenerator<Piece> {
  const [last] = await run<{ revision: string }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS revision FROM ${name}.revisions`,
  )
  yield { kind: 'state', revision: Number(last?.revision) }
  yield* readRecords(run, name)
  yield* readJournals(ask, name, names)
  yield* readBlobs(run, name)
  yield { kind: 'secret', secret: await secretOf(run, name) }
}

async function secretOf(run: Connections['run'], schema: string): Promise<string> {
  const [fact] = await run<{ value: string }>(`SELECT value FROM ${schema}.facts WHERE name = 'secret'`)
  if (fact) return fact.value
  throw new ClusterError(
    'damaged',
    `the schema ${schema} in PostgreSQL has no secret`,
    'Start a host on it once: it makes a new one, and every user signs in again.',
  )
}

/** Refuses a schema that is not there, or not as this version makes it. */
async function refuseOther({ run, name }: Connections): Promise<void> {
  const [there] = await run<{ facts: string | null }>('SELECT to_regclass($1) AS facts', [`${name}.facts`])
  if (there?.facts == null)
    throw new ClusterError(
      'not_usable',
      `there is no state of svc in the schema ${name} of this database`,
      'Name the database and the schema that the hosts use.',
    )
  const [fact] = await run<{ value: string }>(`SELECT value FROM ${name}.facts WHERE name = 'version'`)
  if (Number(fact?.value) !== NEWEST)
    throw new ClusterError(
      'not_usable',
      `the schema ${name} in PostgreSQL has version ${fact?.value}, and this version of svc reads ${NEWEST}`,
      'Use the version of svc that its hosts have.',
    )
}
