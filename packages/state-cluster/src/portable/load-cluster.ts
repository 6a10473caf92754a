import { inOrder, type Pieces } from '@svc/state/portable'
import { migrateIn } from '../postgres/migrate.ts'
import { ClusterError } from './cluster-error.ts'
import { openJournalLoader } from './load-journals.ts'
import { loadBlob, openRecordLoader } from './load-records.ts'
import { type ClusterServers, type Connections, connectServers } from './servers.ts'

/**
 * Begins what several hosts share with the pieces of another driver. Both servers must be empty of it, and no host may use
 * it: none can start meanwhile. All of it is there at the end, or nothing. Records are put into indexes when a host first
 * uses them. Throws `ClusterError`, `StoreError`, `BusError`, and what the pieces throw.
 */
export async function loadCluster(servers: ClusterServers, pieces: Pieces): Promise<void> {
  const connections = await connectServers(servers)
  const { run, name, close } = connections
  const journals = openJournalLoader(connections)
  try {
    await run('BEGIN')
    await migrateIn(run, name)
    await refuseFull(connections)
    await journals.begin()
    try {
      await fill(connections, journals, pieces)
      await journals.publish()
    } catch (error) {
      await run('ROLLBACK').catch(() => {})
      await journals.removeAll().catch((left: unknown) => {
        throw leftover(error, left)
      })
      throw error
    }
    await run('COMMIT').catch((error: unknown) => {
      throw unknownEnd(error)
    })
    await journals.end()
  } finally {
    await close()
  }
}

type Journals = ReturnType<typeof openJournalLoader>

async function fill({ run, name }: Connections, journals: Journals, pieces: Pieces): Promise<void> {
  const records = openRecordLoader(run, name)
  for await (const piece of inOrder(pieces)) {
    if (piece.kind === 'state' && piece.revision > 0)
      await run(
        `SELECT setval('${name}.revisions', greatest($1::bigint, (SELECT last_value FROM ${name}.revisions)))`,
        [piece.revision],
      )
    if (piece.kind === 'record') await records.add(piece)
    if (piece.kind === 'journal' || piece.kind === 'item') await journals.add(piece)
    if (piece.kind === 'blob') await loadBlob(run, name, piece)
    if (piece.kind === 'secret')
      await run(
        `INSERT INTO ${name}.facts VALUES ('secret', $1) ON CONFLICT (name) DO UPDATE SET value = $1`,
        [piece.secret],
      )
  }
  await records.flush()
  await journals.flush()
}

/** Holds the schema to be empty, and forgets how hosts that ran on it once indexed their collections. */
async function refuseFull({ run, name }: Connections): Promise<void> {
  const [found] = await run<{ host: string | null; records: boolean; blobs: boolean }>(
    `SELECT (SELECT url FROM ${name}.hosts WHERE seen_at > now() - interval '1 minute' LIMIT 1) AS host,
      EXISTS (SELECT FROM ${name}.records) AS records, EXISTS (SELECT FROM ${name}.blobs) AS blobs`,
  )
  if (found?.host)
    throw new ClusterError(
      'not_empty',
      `a host uses the schema ${name}: the one at ${found.host}`,
      'Stop all hosts, and wait for a minute if one of them was killed.',
    )
  if (found?.records || found?.blobs)
    throw new ClusterError(
      'not_empty',
      `the schema ${name} in PostgreSQL is not empty: it has ${found.records ? 'records' : 'blobs'}`,
      'Choose another name, or an empty database; nothing is overwritten.',
    )
  for (const table of ['entries', 'stale', 'declarations']) await run(`DELETE FROM ${name}.${table}`)
}

const leftover = (error: unknown, left: unknown) =>
  new ClusterError(
    'not_usable',
    `${sentenceOf(error)}; journals of the import are still in Redis: ${sentenceOf(left)}`,
    'Import again once Redis can be used: it removes them first.',
    { cause: error },
  )

const unknownEnd = (error: unknown) =>
  new ClusterError(
    'unknown',
    `the answer of PostgreSQL to the end of the import was lost: ${sentenceOf(error)}`,
    'Import again: if all of it is there, that is refused because the schema is not empty.',
    { cause: error },
  )

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
