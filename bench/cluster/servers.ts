import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { type RedisServer, startRedisServer } from '@svc/conformance/testing/redis-server'
import { type Cluster, openCluster } from '@svc/state-cluster'

/** A PostgreSQL and a Redis of one measurement. */
export interface Servers {
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  /** Opens what hosts share; close it before the servers. */
  open(): Promise<Cluster>
  close(): Promise<void>
}

/**
 * Starts both with what a test has: neither waits for its disk, so that a ratio shows our share and not the disk's.
 * `isDurable` waits for it as an operator's servers do.
 */
export async function startServers(isDurable = false): Promise<Servers> {
  const settings = {
    max_connections: '60',
    shared_buffers: '256MB',
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track': 'top',
  }
  const postgres = await startPostgresServer({ settings, isDurable })
  const args = isDurable ? ['--appendonly', 'yes', '--appendfsync', 'everysec'] : []
  const redis = await startRedisServer({ args })
  return {
    postgres,
    redis,
    open: () => openCluster({ postgres: postgres.url, redis: redis.url }),
    async close() {
      await redis.close()
      await postgres.close()
    },
  }
}

/** How many of `count` a second, from the time that `work` takes. */
export async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (count * 1_000) / (performance.now() - from)
}

/** Runs `work` in `lanes` at once, `count` times in all; it gets its lane. */
export async function inLanes(
  lanes: number,
  count: number,
  work: (lane: number) => Promise<unknown>,
): Promise<void> {
  const each = count / lanes
  const lane = async (at: number) => {
    for (let n = 0; n < each; n++) await work(at)
  }
  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)))
}
