import { createHash } from 'node:crypto'
import { type FaultyRelay, openFaultyRelay } from '@svc/conformance/testing/faulty-relay'
import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { collection } from '@svc/state'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../testing/open-postgres.ts'

const counters = collection({
  name: 'counters',
  row: {} as { readonly count: number },
  indexes: { byCount: (row) => [row.count] },
})
const unavailable = expect.objectContaining({ name: 'StoreError', code: 'unavailable' })

type Opened = Awaited<ReturnType<typeof openPostgres>>
let server: PostgresServer
let relay: FaultyRelay
let opened: Opened
beforeEach(async () => {
  server = await startPostgresServer({
    settings: { max_connections: '20', superuser_reserved_connections: '1' },
  })
  relay = await openFaultyRelay(server.port)
  opened = await openPostgres(`postgres://postgres@127.0.0.1:${relay.port}/postgres`, {
    connections: 6,
    statementMs: 3_000,
  })
})
afterEach(async () => {
  await opened.store.close()
  await relay.close()
  await server.close()
})

/** Writers that count up by compare-and-set for as long as something goes on; what each was told is counted. */
async function countWhile(writers: number, work: () => Promise<void>) {
  const { store } = opened
  await store.insert(counters, 'c', { count: 0 })
  const told = { done: 0, lost: 0, failed: [] as unknown[] }
  let goesOn = true
  const writer = async () => {
    while (goesOn) {
      try {
        const there = await store.get(counters, 'c')
        const { count } = there?.row ?? { count: 0 }
        const swapped = await store.swap(counters, 'c', there?.revision ?? 0, { count: count + 1 })
        if (swapped.ok) told.done += 1
        else told.lost += 1
      } catch (error) {
        told.failed.push(error)
      }
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, writer))
  try {
    await work()
    // Some more after it, so that all are known to go on.
    const { done } = told
    await expect.poll(() => told.done).toBeGreaterThan(done + 20)
  } finally {
    goesOn = false
    await writing
  }
  return { ...told, count: (await store.get(counters, 'c'))?.row.count ?? 0 }
}

/** Whatever a writer was told is true: what failed may be done or not, once. */
function expectTrue({ done, failed, count }: Awaited<ReturnType<typeof countWhile>>): void {
  expect(failed).toEqual(failed.map(() => unavailable))
  expect(count).toBeGreaterThanOrEqual(done)
  expect(count).toBeLessThanOrEqual(done + failed.length)
}

describe('no write is lost, and none is done twice, while PostgreSQL', () => {
  it.each<[string, () => Promise<void>]>([
    [
      'is restarted',
      async () => {
        await server.stop()
        await server.start()
      },
    ],
    [
      'is killed and started again',
      async () => {
        await server.kill()
        await server.start()
      },
    ],
    [
      'loses its connections again and again',
      async () => {
        for (let n = 0; n < 20; n++) {
          await expect.poll(() => relay.connections).toBeGreaterThan(1)
          relay.cut()
        }
      },
    ],
    [
      'is on the other side of a network that breaks in one direction',
      async () => {
        relay.hush(['from'])
        await expect.poll(() => opened.store.trouble?.(), { timeout: 20_000 }).not.toBeNull()
        relay.mend()
      },
    ],
    [
      'fails over: it refuses writes, and then all connections are cut',
      async () => {
        await asOperator('ALTER SYSTEM SET default_transaction_read_only = on')
        await asOperator('SELECT pg_reload_conf()')
        await expect.poll(() => String(opened.store.trouble?.()), { timeout: 20_000 }).toMatch('read-only')
        await asOperator('ALTER SYSTEM RESET default_transaction_read_only')
        await asOperator('SELECT pg_reload_conf()')
        relay.cut()
      },
    ],
  ])('%s', async (_, work) => {
    const told = await countWhile(4, work)
    expectTrue(told)
    await expect.poll(() => opened.store.trouble?.()).toBeNull()
  })
})

async function asOperator(text: string): Promise<void> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

it('a call waits for a server that is away, and says after five seconds that it is', async () => {
  await opened.store.insert(counters, 'a', { count: 1 })
  await server.stop()
  const from = performance.now()
  await expect(opened.store.get(counters, 'a')).rejects.toEqual(unavailable)
  expect(performance.now() - from).toBeGreaterThan(4_900)
  expect(performance.now() - from).toBeLessThan(30_000)
  expect(opened.store.trouble?.()).toMatch(/^PostgreSQL cannot be reached: \w+$/)
  const waiting = opened.store.get(counters, 'a')
  await server.start()
  expect((await waiting)?.row).toEqual({ count: 1 })
  // Another connection may have been refused by a server that was still starting.
  await expect.poll(() => opened.store.get(counters, 'a').then(() => opened.store.trouble?.())).toBeNull()
})

it('a statement that takes a second is waited for', async () => {
  await opened.store.insert(counters, 'a', { count: 1 })
  relay.delayMs = 500
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, n) => opened.store.insert(counters, `n${n}`, { count: n })),
  )
  expect(results.every(({ ok }) => ok)).toBe(true)
})

it('a host that stands still in a transaction keeps no other from the same bytes', async () => {
  const bytes = Buffer.from('the same')
  const begun = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const { database, schema } = opened
  const standing = database.transaction(async (run) => {
    const digest = createHash('sha256').update(bytes).digest()
    await run(`INSERT INTO ${schema}.blobs (digest, size) VALUES ($1, 8) ON CONFLICT DO NOTHING`, [digest])
    begun.resolve()
    await goesOn.promise
  })
  await begun.promise
  const digest = await opened.blobs.put(bytes)
  expect(Buffer.from((await opened.blobs.get(digest)) ?? [])).toEqual(bytes)
  goesOn.resolve()
  await standing
})

it('without a free connection calls fail with the reason, and succeed once there is one', async () => {
  await opened.store.insert(counters, 'a', { count: 1 })
  // Those of the pool end first, or it would have some.
  relay.cut()
  const others = Array.from({ length: 19 }, () => new Client({ connectionString: userUrl() }))
  await asOperator('CREATE ROLE other LOGIN; GRANT ALL ON DATABASE postgres TO other')
  await Promise.allSettled(others.map((client) => client.connect()))
  const limited = await openPostgresAs('other').catch((error: unknown) => error)
  expect(limited).toEqual(unavailable)
  expect((limited as Error).message).toMatch(/too many clients|reserved/)
  await Promise.all(others.map((client) => client.end().catch(() => {})))
  expect((await opened.store.get(counters, 'a'))?.row).toEqual({ count: 1 })
})

const userUrl = () => `postgres://other@127.0.0.1:${server.port}/postgres`
const openPostgresAs = (user: string) =>
  openPostgres(`postgres://${user}@127.0.0.1:${server.port}/postgres`, { waitMs: 1_000 })
