import { openCluster } from '@svc/state-cluster'
import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgresServer } from './testing/postgres-server.ts'
import { type RedisServer, startRedisServer } from './testing/redis-server.ts'
import { remoteElsewhereSuite } from './testing/remote-elsewhere.ts'

let postgres: PostgresServer
let redis: RedisServer
let names = 0
beforeAll(async () => {
  postgres = await startPostgresServer()
  redis = await startRedisServer()
})
afterAll(async () => {
  await redis?.close()
  await postgres?.close()
})

remoteElsewhereSuite(async () => {
  const name = `elsewhere_${names++}`
  const open = () => openCluster({ postgres: postgres.url, redis: redis.url, name })
  const clusters = [await open(), await open()] as const
  const [there, here] = clusters.map(({ store, bus, blobs, secret }) => ({ store, bus, blobs, secret }))
  if (!there || !here) throw new Error('two are opened')
  return {
    there,
    here,
    async close() {
      for (const cluster of clusters) await cluster.close()
    },
  }
})
