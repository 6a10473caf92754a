import type { Redis } from 'ioredis'
import { Client } from 'pg'
import type { Run } from '../postgres/database.ts'
import { storeErrorOf } from '../postgres/failures.ts'
import { isSchemaName } from '../postgres/migrate.ts'
import { errorOfConnection, isReply } from '../redis/failure.ts'
import { end, makeClient, placeOf } from '../redis/link.ts'
import { ClusterError } from './cluster-error.ts'

/** The two servers of several hosts, and the name that those share. */
export interface ClusterServers {
  /** `postgres://user:password@host:port/database`. */
  readonly postgres: string
  /** `redis://user:password@host:port/0`. */
  readonly redis: string
  /** Default `svc`. */
  readonly name?: string | undefined
}

/** One connection to each server. */
export interface Connections {
  readonly name: string
  /** Runs a statement. Throws `StoreError`. */
  readonly run: Run
  /** Asks Redis. Throws `BusError`. */
  ask<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result>
  /** Ends both, with what is under way; twice is harmless. */
  close(): Promise<void>
}

const CONNECT_MS = 5_000

/** Connects to PostgreSQL. Throws `StoreError` `unavailable`. */
export async function connectPostgres(url: string): Promise<{ run: Run; close(): Promise<void> }> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'svc',
  })
  // Whatever is under way says it as well.
  client.on('error', () => {})
  const run: Run = async (text, values = []) => {
    try {
      return (await client.query(text, [...values])).rows
    } catch (error) {
      throw storeErrorOf(error)
    }
  }
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => {})
    throw storeErrorOf(error)
  }
  return { run, close: () => client.end().catch(() => {}) }
}

/** Connects to Redis. Throws `BusError` `unavailable`. */
export async function connectRedis(url: string): Promise<Pick<Connections, 'ask'> & { close(): void }> {
  const redis = makeClient(url, CONNECT_MS)
  let last: unknown = null
  redis.on('error', (error) => {
    last = error
  })
  async function ask<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
    try {
      return await work(redis)
    } catch (error) {
      if (error instanceof TypeError) throw error
      throw errorOfConnection(placeOf(url), isReply(error) ? error : (last ?? error))
    }
  }
  try {
    await ask(() => redis.connect())
    await ask(() => redis.ping())
  } catch (error) {
    end(redis)
    throw error
  }
  return { ask, close: () => end(redis) }
}

/** Connects to both. Throws `StoreError` and `BusError` `unavailable`, and `ClusterError` for a name that no schema has. */
export async function connectServers({
  postgres,
  redis,
  name = 'svc',
}: ClusterServers): Promise<Connections> {
  if (!isSchemaName(name))
    throw new ClusterError(
      'not_usable',
      `a cluster's name has a to z, 0 to 9 and _, and 1 to 41 characters, got "${name}"`,
      'Name the one that the hosts have.',
    )
  const database = await connectPostgres(postgres)
  const bus = await connectRedis(redis).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  return {
    name,
    run: database.run,
    ask: bus.ask,
    async close() {
      bus.close()
      await database.close()
    },
  }
}
