import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { type RedisServer, startRedisServer } from '@svc/conformance/testing/redis-server'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type ClusterReport, inspectCluster, openCluster } from '../index.ts'

let postgres: PostgresServer
let redis: RedisServer
beforeAll(async () => {
  postgres = await startPostgresServer({ isDurable: true, settings: { max_connections: '40' } })
  redis = await startRedisServer({ isDurable: true })
})
afterAll(async () => {
  await redis.close()
  await postgres.close()
})

const inspected = (options: object = {}) =>
  inspectCluster({ postgres: postgres.url, redis: redis.url, ...options })
const idsOf = ({ findings }: ClusterReport) => findings.map(({ severity, id }) => `${severity} ${id}`)

async function sql(...texts: string[]): Promise<void> {
  const client = new Client(postgres.url)
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

/** Sets something in Redis for one test. */
async function setRedis(...pairs: [name: string, value: string][]): Promise<void> {
  const admin = new Redis(redis.url)
  onTestFinished(() => admin.disconnect())
  for (const [name, value] of pairs) {
    const [, before = ''] = (await admin.config('GET', name)) as string[]
    await admin.config('SET', name, value)
    onTestFinished(async () => void (await admin.config('SET', name, before)))
  }
}

it('finds nothing in servers that are right', async () => {
  const cluster = await openCluster({ postgres: postgres.url, redis: redis.url, name: 'good' })
  onTestFinished(() => cluster.close())
  await cluster.bus.answer('host-1', 'kind', async () => '')
  const report = await inspected({ name: 'good' })
  expect(report).toMatchObject({
    postgres: expect.stringMatching(/^PostgreSQL \d+/),
    redis: expect.stringMatching(/^(Redis|Valkey) \d+/),
    hosts: [{ id: 'host-1', url: expect.stringMatching(/^http:\/\/127/) }],
    findings: [],
  })
})

it.each<[setting: string, value: string, finding: string]>([
  ['fsync', 'off', 'loses postgres.fsync'],
  ['full_page_writes', 'off', 'loses postgres.full_page_writes'],
  ['synchronous_commit', 'off', 'loses postgres.synchronous_commit'],
  ['autovacuum', 'off', 'hinders postgres.autovacuum'],
  ['default_transaction_isolation', "'repeatable read'", 'fails postgres.isolation'],
  ['default_transaction_read_only', 'on', 'fails postgres.read_only'],
])('of PostgreSQL it finds %s = %s', async (setting, value, finding) => {
  const reload = 'SELECT pg_reload_conf()'
  await sql(`ALTER SYSTEM SET ${setting} = ${value}`, reload)
  onTestFinished(async () => {
    await sql(`ALTER SYSTEM RESET ${setting}`, reload)
    await expect.poll(async () => idsOf(await inspected())).toEqual([])
  })
  await expect.poll(async () => idsOf(await inspected())).toEqual([finding])
})

it.each<[what: string, pairs: [string, string][], finding: string]>([
  [
    'a policy that removes',
    [
      ['maxmemory', '100mb'],
      ['maxmemory-policy', 'allkeys-lru'],
    ],
    'loses redis.maxmemory_policy',
  ],
  ['no append-only file', [['appendonly', 'no']], 'loses redis.appendonly'],
  ['one that is not synced', [['appendfsync', 'no']], 'loses redis.appendfsync'],
  ['a memory that is full', [['maxmemory', '900kb']], 'hinders redis.memory'],
])('of Redis it finds %s', async (_, pairs, finding) => {
  await setRedis(...pairs)
  expect(idsOf(await inspected())).toEqual([finding])
})

it.each<[what: string, args: string[], findings: string[]]>([
  ['a replica', ['--replicaof', '127.0.0.1', '9'], ['fails redis.role']],
  ['a Redis Cluster', ['--cluster-enabled', 'yes'], ['fails redis.cluster']],
])('it finds %s', async (_, args, findings) => {
  const own = await startRedisServer({ isDurable: true, args })
  onTestFinished(() => own.close())
  expect(idsOf(await inspected({ redis: own.url }))).toEqual(findings)
})

it('counts connections, and the hosts that may take them', async () => {
  expect(idsOf(await inspected({ connections: 37 }))).toEqual([])
  expect(idsOf(await inspected({ connections: 38 }))).toEqual(['hinders postgres.connections'])
  await sql('CREATE ROLE few LOGIN CONNECTION LIMIT 5', 'GRANT ALL ON DATABASE postgres TO few')
  const few = postgres.url.replace('postgres@', 'few@')
  expect(idsOf(await inspected({ postgres: few }))).toEqual(['hinders postgres.connections'])
})

it('finds deleted rows that nobody removes', async () => {
  await sql(
    'CREATE SCHEMA dead CREATE TABLE rows (n int) WITH (autovacuum_enabled = off)',
    'INSERT INTO dead.rows SELECT generate_series(1, 12000)',
    'DELETE FROM dead.rows',
    'SELECT pg_stat_force_next_flush()',
  )
  const report = await inspected({ name: 'dead' })
  expect(idsOf(report)).toEqual(['hinders postgres.dead_rows'])
  expect(report.findings[0]?.what).toMatch(/^dead\.rows has 12\d{3} deleted rows beside 0$/)
})

it('asks hosts where they say that they answer', async () => {
  const cluster = await openCluster({ postgres: postgres.url, redis: redis.url, name: 'asked' })
  onTestFinished(() => cluster.close())
  await cluster.bus.answer('host-1', 'kind', async () => '')
  await sql(`INSERT INTO asked.hosts (id, url, life) VALUES ('host-2', 'http://127.0.0.1:9', 'x')`)
  const silent = await inspected({ name: 'asked' })
  expect(idsOf(silent)).toEqual(['hinders hosts.silent'])
  expect(silent.findings[0]?.what).toContain('http://127.0.0.1:9')
  await sql(`UPDATE asked.hosts SET url = 'http://host-2.invalid:1' WHERE id = 'host-2'`)
  expect(idsOf(await inspected({ name: 'asked' }))).toEqual(['fails hosts.loopback', 'hinders hosts.silent'])
})

it('says which server it cannot reach, and looks at the other', async () => {
  await setRedis(['appendonly', 'no'])
  expect(await inspected({ postgres: 'postgres://u:hidden@127.0.0.1:9/x' })).toMatchObject({
    postgres: null,
    findings: [
      { severity: 'fails', id: 'postgres.reach', what: 'PostgreSQL cannot be reached: ECONNREFUSED' },
      { id: 'redis.appendonly' },
    ],
  })
  expect(idsOf(await inspected({ redis: 'redis://127.0.0.1:9' }))).toEqual(['fails redis.reach'])
})
