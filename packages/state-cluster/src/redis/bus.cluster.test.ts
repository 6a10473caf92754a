import { randomUUID } from 'node:crypto'
import { type RedisServer, startRedisServer } from '@svc/conformance/testing/redis-server'
import { busSuite } from '@svc/state/testing'
import { afterAll, beforeAll } from 'vitest'
import { openRedisBus } from './bus.ts'

let server: RedisServer
beforeAll(async () => {
  server = await startRedisServer()
})
afterAll(() => server.close())

busSuite('Redis', (clock) => openRedisBus({ url: server.url, prefix: randomUUID(), clock }))
