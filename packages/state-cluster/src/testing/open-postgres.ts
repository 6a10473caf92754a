import type { Blobs, Store } from '@svc/state'
import { postgresBlobs } from '../postgres/blobs.ts'
import { type Database, openDatabase } from '../postgres/database.ts'
import { migrate } from '../postgres/migrate.ts'
import { postgresStore } from '../postgres/store.ts'

let schemas = 0

/** How a test opens its own schema, or the one of another. */
export interface OpenPostgresOptions {
  readonly schema?: string | undefined
  readonly connections?: number | undefined
  readonly waitMs?: number | undefined
  readonly statementMs?: number | undefined
}

/** A schema in PostgreSQL. Closing its store, or its blobs, closes the connections. */
export async function openPostgres(
  url: string,
  { schema = `test_${process.pid}_${schemas++}`, ...options }: OpenPostgresOptions = {},
): Promise<{ database: Database; schema: string; store: Store; blobs: Blobs; upkeep(): Promise<void> }> {
  const database = openDatabase({ url, ...options })
  await migrate(database, schema)
  const store = postgresStore({ database, schema })
  const blobs = postgresBlobs({ database, schema })
  const closing = <Port extends { close(): Promise<void> }>(port: Port): Port => ({
    ...port,
    async close() {
      await port.close()
      await database.close()
    },
  })
  return { database, schema, store: closing(store), blobs: closing(blobs), upkeep: store.upkeep }
}
