import { StoreError } from '@svc/state/driver'
import type { Database, Run } from './database.ts'
import { schema1 } from './schema-1.ts'

/** One after the other, each brings the schema to the next version. A host works on every later one that says so. */
const migrations: readonly ((schema: string) => string)[] = [schema1]
/** The oldest version of this package's schema whose hosts may work on the newest. */
const OLDEST_HOST = 1

const NAME = /^[a-z_][a-z0-9_]{0,40}$/

/** Says whether a name can be a schema's; its text stands in statements. */
export const isSchemaName = (name: string): boolean => NAME.test(name)

/**
 * Brings the schema up to date, under a lock, so that of hosts that start at once one does it. Hosts of the version
 * before go on working meanwhile. Throws `StoreError` where a newer host has brought it beyond what this one understands,
 * and for a name that is a word of SQL.
 */
export async function migrate(database: Database, schema: string): Promise<void> {
  await database.transaction((run) => migrateIn(run, schema))
  database.setProbe(
    `INSERT INTO ${schema}.facts VALUES ('probe', '') ON CONFLICT (name) DO UPDATE SET value = ''`,
  )
}

/** The version of the schema that this package makes. */
export const NEWEST = migrations.length

/** The same in a transaction; until its end no host of the schema can start. */
export async function migrateIn(run: Run, schema: string): Promise<void> {
  await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`svc migrate ${schema}`])
  const [{ there } = { there: false }] = await run<{ there: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS there',
    [`${schema}.facts`],
  )
  if (!there) await refuseKeyword(run, schema)
  if (!there) await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  const facts = there
    ? await run<{ name: string; value: string }>(
        `SELECT name, value FROM ${schema}.facts WHERE name IN ('version', 'oldest_host')`,
      )
    : []
  const fact = (name: string) => Number(facts.find((one) => one.name === name)?.value ?? 0)
  if (fact('oldest_host') > NEWEST)
    throw new StoreError(
      'unavailable',
      `the schema ${schema} in PostgreSQL has version ${fact('version')}; this host understands ${NEWEST}: start a newer one`,
    )
  if (fact('version') >= NEWEST) return
  for (const migration of migrations.slice(fact('version'))) await run(migration(schema))
  const put = `INSERT INTO ${schema}.facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2`
  await run(put, ['version', String(NEWEST)])
  await run(put, ['oldest_host', String(OLDEST_HOST)])
}

/** Throws where a name means something in SQL. */
async function refuseKeyword(run: Run, schema: string): Promise<void> {
  const found = await run("SELECT FROM pg_get_keywords() WHERE word = $1 AND catcode IN ('R', 'T')", [schema])
  if (found.length > 0)
    throw new StoreError(
      'unavailable',
      `"${schema}" is a word of SQL: choose another name, such as svc_${schema}`,
    )
}
