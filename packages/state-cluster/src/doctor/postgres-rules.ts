import { NEWEST } from '../postgres/migrate.ts'
import { clockRule, type Rule, rule } from './finding.ts'
import type { PostgresFacts } from './postgres-facts.ts'

const OLDEST = 15
const set = (name: string, value: string) => `ALTER SYSTEM SET ${name} = ${value}; SELECT pg_reload_conf();`
const is = (name: string, value: string) => (facts: PostgresFacts) => facts.settings[name] === value

/** What may be wrong with a PostgreSQL. */
export const postgresRules: readonly Rule<PostgresFacts>[] = [
  rule<PostgresFacts>(
    'postgres.version',
    'fails',
    ({ version }) => version < OLDEST,
    ({ versionText }) => [
      `PostgreSQL has version ${versionText}`,
      `Hosts need ${OLDEST} or newer.`,
      'Upgrade it.',
    ],
  ),
  rule<PostgresFacts>(
    'postgres.schema',
    'fails',
    ({ schemaVersion }) => schemaVersion !== null && schemaVersion > NEWEST,
    ({ schema, schemaVersion }) => [
      `the schema ${schema} has version ${schemaVersion}, and this version of svc makes ${NEWEST}`,
      'A newer host has changed it.',
      'Install the version of svc that the other hosts have.',
    ],
  ),
  rule<PostgresFacts>(
    'postgres.standby',
    'fails',
    ({ isStandby }) => isStandby,
    () => [
      'PostgreSQL is a standby',
      'It takes no writes.',
      'Name the primary, or an address that follows it.',
    ],
  ),
  rule<PostgresFacts>('postgres.read_only', 'fails', is('default_transaction_read_only', 'on'), () => [
    'default_transaction_read_only is on',
    'Every write is refused.',
    set('default_transaction_read_only', 'off'),
  ]),
  rule<PostgresFacts>(
    'postgres.isolation',
    'fails',
    ({ settings }) => settings.default_transaction_isolation !== 'read committed',
    ({ settings }) => [
      `default_transaction_isolation is ${settings.default_transaction_isolation}`,
      'Caps are counted in a statement after a lock: with another isolation it does not see what others wrote before.',
      `${set('default_transaction_isolation', "'read committed'")} Look also at ALTER ROLE and ALTER DATABASE.`,
    ],
  ),
  rule<PostgresFacts>('postgres.fsync', 'loses', is('fsync', 'off'), () => [
    'fsync is off',
    'A power cut may damage all data, not only the last writes.',
    set('fsync', 'on'),
  ]),
  rule<PostgresFacts>('postgres.full_page_writes', 'loses', is('full_page_writes', 'off'), () => [
    'full_page_writes is off',
    'A power cut may leave pages that are half written.',
    set('full_page_writes', 'on'),
  ]),
  rule<PostgresFacts>('postgres.synchronous_commit', 'loses', is('synchronous_commit', 'off'), () => [
    'synchronous_commit is off',
    'What a host acknowledged in the last moments before a crash is lost.',
    `${set('synchronous_commit', 'on')} Look also at ALTER ROLE and ALTER DATABASE.`,
  ]),
  rule<PostgresFacts>('postgres.autovacuum', 'hinders', is('autovacuum', 'off'), () => [
    'autovacuum is off',
    'Deleted rows stay, and every scan gets slower.',
    set('autovacuum', 'on'),
  ]),
  rule<PostgresFacts>(
    'postgres.connections',
    'hinders',
    ({ room, needed }) => room < needed,
    ({ room, needed }) => [
      `PostgreSQL gives this user ${room} connections, and the hosts may take ${needed}`,
      'A host that gets none waits, and then fails with storage_unavailable.',
      'Raise max_connections (and the limits of role and database), lower data.connections, or use PgBouncer.',
    ],
  ),
  rule<PostgresFacts>(
    'postgres.idle',
    'hinders',
    ({ idle }) => idle.length > 0,
    ({ idle }) => [
      `${idle.length === 1 ? 'a session waits' : `${idle.length} sessions wait`} in an open transaction, the longest for ${Math.max(...idle)} s`,
      'It keeps its locks, and no deleted row is removed meanwhile.',
      `Find out whose it is (pg_stat_activity), and bound it: ${set('idle_in_transaction_session_timeout', "'60s'")}`,
    ],
  ),
  rule<PostgresFacts>(
    'postgres.blockers',
    'hinders',
    ({ blockers }) => blockers.length > 0,
    ({ blockers }) => [
      blockers.join('; '),
      'No row that was deleted since then can be removed, and the disk fills.',
      'End it: pg_terminate_backend(pid), ROLLBACK PREPARED, pg_drop_replication_slot.',
    ],
  ),
  rule<PostgresFacts>(
    'postgres.dead_rows',
    'hinders',
    ({ dead }) => dead.length > 0,
    ({ dead, schema }) => [
      dead
        .map(({ table, dead: count, live }) => `${schema}.${table} has ${count} deleted rows beside ${live}`)
        .join('; '),
      'Scans read over them.',
      `Look for what keeps autovacuum from it, then: ${dead.map(({ table }) => `VACUUM ${schema}.${table};`).join(' ')}`,
    ],
  ),
  clockRule('postgres.clock', 'PostgreSQL'),
]
