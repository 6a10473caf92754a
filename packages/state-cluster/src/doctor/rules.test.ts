import { expect, it } from 'vitest'
import { judge } from './finding.ts'
import { aheadOf, type PostgresFacts } from './postgres-facts.ts'
import { postgresRules } from './postgres-rules.ts'
import { type RedisFacts, redisRules } from './redis-rules.ts'

const postgres: PostgresFacts = {
  version: 15,
  versionText: '15.4',
  settings: {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    default_transaction_isolation: 'read committed',
    default_transaction_read_only: 'off',
    autovacuum: 'on',
  },
  isStandby: false,
  room: 97,
  needed: 20,
  hosts: [],
  aheadMs: 0,
  idle: [],
  blockers: [],
  dead: [],
  schemaVersion: 1,
  schema: 'svc',
}
const redis: RedisFacts = {
  info: new Map([
    ['redis_version', '7.0.15'],
    ['role', 'master'],
    ['cluster_enabled', '0'],
    ['maxmemory', '0'],
    ['maxmemory_policy', 'allkeys-lru'],
    ['aof_enabled', '1'],
    ['aof_last_write_status', 'ok'],
    ['rdb_last_bgsave_status', 'ok'],
  ]),
  appendfsync: 'everysec',
  aheadMs: 0,
}

it.each<[facts: Partial<PostgresFacts>, said: string[]]>([
  [{}, []],
  [{ version: 14, versionText: '14.9' }, ['PostgreSQL has version 14.9']],
  [{ isStandby: true }, ['PostgreSQL is a standby']],
  [{ schemaVersion: 99 }, ['the schema svc has version 99, and this version of svc makes 1']],
  [{ idle: [61] }, ['a session waits in an open transaction, the longest for 61 s']],
  [{ idle: [70, 3_000] }, ['2 sessions wait in an open transaction, the longest for 3000 s']],
  [{ blockers: ['nobody reads the replication slot old'] }, ['nobody reads the replication slot old']],
  [{ aheadMs: 2_000 }, []],
  [{ aheadMs: 2_100 }, ['the clock of PostgreSQL is 2.1 s ahead of that of this machine']],
  [{ aheadMs: -90_000 }, ['the clock of PostgreSQL is 90.0 s behind that of this machine']],
])('of a PostgreSQL with %o it says %j', (facts, said) => {
  expect(judge(postgresRules, { ...postgres, ...facts }).map(({ what }) => what)).toEqual(said)
})

it.each<[lines: [string, string][], said: string[]]>([
  [[], []],
  [[['redis_version', '6.2.1']], ['Redis has version 6.2.1']],
  [[['aof_last_write_status', 'err']], ['Redis could not write its append-only file']],
  [[['rdb_last_bgsave_status', 'err']], ['the last snapshot of Redis failed']],
])('of a Redis with %j it says %j', (lines, said) => {
  const info = new Map([...redis.info, ...lines])
  expect(judge(redisRules, { ...redis, info }).map(({ what }) => what)).toEqual(said)
})

it.each([
  ['within the way', 0, (ahead: number) => expect(ahead).toBe(0)],
  ['ahead', 60_000, (ahead: number) => expect(ahead).toBeGreaterThan(50_000)],
  ['behind', -60_000, (ahead: number) => expect(ahead).toBeLessThan(-50_000)],
])('a clock is %s', async (_, by, judged) => judged(await aheadOf(async () => Date.now() + by)))
