import type { Run } from '../postgres/database.ts'

/** A row of `hosts` that was touched within the last minute. */
export interface HostRow {
  readonly id: string
  readonly url: string
}

/** What a PostgreSQL says of itself. Of what this user may not see there is nothing. */
export interface PostgresFacts {
  readonly version: number
  readonly versionText: string
  readonly settings: Readonly<Record<string, string>>
  readonly isStandby: boolean
  /** Connections that this user may have at once, to this database. */
  readonly room: number
  /** Connections that the hosts may take. */
  readonly needed: number
  readonly hosts: readonly HostRow[]
  readonly aheadMs: number
  /** Sessions that wait in an open transaction, in s since their last statement. */
  readonly idle: readonly number[]
  /** Who keeps deleted rows from being removed: a sentence each. */
  readonly blockers: readonly string[]
  /** Tables with many deleted rows. */
  readonly dead: readonly { readonly table: string; readonly dead: number; readonly live: number }[]
  /** The version of the schema; null: it is not there. */
  readonly schemaVersion: number | null
  readonly schema: string
}

const SETTINGS = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'default_transaction_isolation',
  'default_transaction_read_only',
  'autovacuum',
]
/** A session that waits for longer, s; a transaction that is open for longer, s; more deleted rows than these. */
const IDLE_S = 60
const OPEN_S = 600
const DEAD_ROWS = 10_000

const idleText = `SELECT extract(epoch FROM now() - state_change)::int AS s FROM pg_stat_activity
  WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND state_change < now() - interval '${IDLE_S} s'`
const blockersText = `
  SELECT format('the process %s (%s) has a transaction that is open for %s s', pid, usename, extract(epoch FROM now() - xact_start)::int) AS who
  FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND xact_start < now() - interval '${OPEN_S} s'
  UNION ALL SELECT format('the prepared transaction %s is open since %s', gid, prepared::timestamptz(0))
  FROM pg_prepared_xacts WHERE database = current_database() AND prepared < now() - interval '${OPEN_S} s'
  UNION ALL SELECT format('nobody reads the replication slot %s', slot_name)
  FROM pg_replication_slots WHERE NOT active AND (xmin IS NOT NULL OR catalog_xmin IS NOT NULL OR restart_lsn IS NOT NULL)`
const roomText = `SELECT least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
  ) AS room`

/** Reads the facts; `connections` is how many each host may take. Throws `StoreError`. */
export async function readPostgres(run: Run, schema: string, connections: number): Promise<PostgresFacts> {
  const [{ version, text, standby } = { version: 0, text: '', standby: false }] = await run<{
    version: number
    text: string
    standby: boolean
  }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS text,
      pg_is_in_recovery() AS standby`,
  )
  const settings = await run<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY ($1)',
    [SETTINGS],
  )
  const [{ room } = { room: 0 }] = await run<{ room: number }>(roomText)
  const hosts = await ofSchema(run, schema, (s) =>
    run<HostRow>(
      `SELECT id, url FROM ${s}.hosts WHERE seen_at > now() - interval '1 minute' ORDER BY url, id`,
    ),
  )
  const versions = await ofSchema(run, schema, (s) =>
    run<{ value: string }>(`SELECT value FROM ${s}.facts WHERE name = 'version'`),
  )
  return {
    version: Math.floor(version / 10_000),
    versionText: text,
    settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
    isStandby: standby,
    room,
    // One process has one row for each of its hosts, all with one URL.
    needed: Math.max(1, new Set(hosts.map(({ url }) => url)).size) * connections,
    hosts,
    aheadMs: await aheadOf(async () => {
      const [{ at } = { at: 0 }] = await run<{ at: number }>(
        'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at',
      )
      return at
    }),
    idle: (await run<{ s: number }>(idleText)).map(({ s }) => s),
    blockers: (await run<{ who: string }>(blockersText)).map(({ who }) => who),
    dead: await run(
      `SELECT relname AS table, n_dead_tup::int AS dead, n_live_tup::int AS live FROM pg_stat_user_tables
       WHERE schemaname = $1 AND n_dead_tup > ${DEAD_ROWS} AND n_dead_tup > n_live_tup / 5 ORDER BY n_dead_tup DESC`,
      [schema],
    ),
    schemaVersion: versions[0] ? Number(versions[0].value) : null,
    schema,
  }
}

/** What a table of the schema has; nothing where the schema is not there. */
async function ofSchema<Row extends object>(
  run: Run,
  schema: string,
  read: (schema: string) => Promise<Row[]>,
): Promise<Row[]> {
  const [{ facts } = { facts: null }] = await run<{ facts: string | null }>(
    'SELECT to_regclass($1) AS facts',
    [`${schema}.facts`],
  )
  return facts === null ? [] : read(schema)
}

/** How far a clock is ahead of the one of this machine, in ms, as far as the way to it tells. */
export async function aheadOf(read: () => Promise<number>): Promise<number> {
  const from = Date.now()
  const at = await read()
  const to = Date.now()
  if (at < from) return at - from
  return at > to ? at - to : 0
}
