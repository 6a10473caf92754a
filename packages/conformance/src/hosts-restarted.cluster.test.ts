import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClusterPage, Cut, openPages, Refused } from './testing/cluster/page.ts'
import { type HostPlace, startHosts } from './testing/cluster/some-hosts.ts'
import { type PostgresServer, startPostgresServer } from './testing/postgres-server.ts'
import { type RedisServer, startRedisServer } from './testing/redis-server.ts'

const PAGES = 6
const PAUSE_MS = 50

let dir: string
let postgres: PostgresServer
let redis: RedisServer
let places: readonly HostPlace[]
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-hosts-'))
  postgres = await startPostgresServer()
  redis = await startRedisServer()
  places = await startHosts(3, { postgres: postgres.url, redis: redis.url, starts: path.join(dir, 'starts') })
})
afterAll(async () => {
  for (const place of places ?? []) await place.kill()
  await redis?.close()
  await postgres?.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Whether nothing of it has begun: nobody took the connection, or a host that closes said so. */
const hasNotBegun = (error: unknown) =>
  error instanceof Cut
    ? /ECONNREFUSED/.test(String((error.cause as { cause?: unknown } | undefined)?.cause))
    : error instanceof Refused && error.by === 'closing'

/** A call as a page and its balancer make it: again what has not begun, and reads again in any case. */
async function call<Result>(page: ClusterPage, method: string, args: object): Promise<Result> {
  for (;;)
    try {
      return await page.call<Result>('storage', method, args)
    } catch (error) {
      if (!hasNotBegun(error) && !(method === 'get' && error instanceof Cut)) throw error
      await after(PAUSE_MS)
    }
}

it('while three hosts are restarted one after the other, no call fails that may be sent again', async () => {
  let turn = 0
  // The balancer sends nothing more to a host that says it leaves, and to one that is not ready yet.
  const pages = openPages(() => {
    const up = places.filter(({ isUp }) => isUp)
    return up[turn++ % up.length] as HostPlace
  })
  const user = await pages.user('ada')
  const all = await Promise.all(Array.from({ length: PAGES }, () => pages.page(user)))
  let isOver = false
  const counts = all.map(async (page, at) => {
    const key = `counter-${at}`
    let { etag } = await call<{ etag: string }>(page, 'set', { key, value: 0 })
    let count = 0
    while (!isOver) {
      const read = await call<{ value: number; etag: string }>(page, 'get', { key })
      expect(read).toMatchObject({ value: count, etag })
      const next = { key, value: count + 1, if_match: etag }
      ;({ etag } = await call<{ etag: string }>(page, 'set', next))
      count += 1
    }
    return count
  })
  // What failed is told at once, and not after the restarts.
  const failed = Promise.all(counts)
  const restarts = (async () => {
    for (const place of places) {
      expect(await place.stop()).toBe(0)
      await place.start()
    }
    isOver = true
  })()
  await Promise.race([failed, restarts.then(() => failed)])
  await restarts
  expect(Math.min(...(await failed))).toBeGreaterThan(10)
})
