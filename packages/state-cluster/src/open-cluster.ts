import { randomBytes } from 'node:crypto'
import { type Clock, every, systemClock } from '@svc/node'
import { clock, fn, judgeOptions, object, type Rule, serverRules, whole } from '@svc/node/options'
import type { Blobs, Bus, Store } from '@svc/state'
import { DatabaseError } from 'pg'
import { openDirectory } from './peers/directory.ts'
import { openPeers, type PeersListen } from './peers/peers.ts'
import { postgresBlobs } from './postgres/blobs.ts'
import { type Database, openDatabase } from './postgres/database.ts'
import { storeErrorOf } from './postgres/failures.ts'
import { migrate } from './postgres/migrate.ts'
import { postgresStore } from './postgres/store.ts'
import { openRedisBus } from './redis/bus.ts'

/** Where hosts keep what they share; everything but the two servers has a default. */
export interface ClusterOptions {
  /** PostgreSQL 15 or newer, also behind PgBouncer: `postgres://user:password@host:port/database`. */
  readonly postgres: string
  /** Redis 7 or newer, or Valkey: `redis://user:password@host:port/0`. */
  readonly redis: string
  /** The schema in PostgreSQL, and what keys in Redis begin with; default `svc`. Hosts with the same share their state. */
  readonly name?: string | undefined
  /** Connections to PostgreSQL, at most; default 10. */
  readonly connections?: number | undefined
  /** Where this host answers the others; default: a free port of 127.0.0.1, for hosts on one machine. */
  readonly peers?: PeersListen | undefined
  /** How long a call waits, in ms, until a server that is away is back; default 5 000. */
  readonly waitMs?: number | undefined
  /** The clock of the bus; default: the machine's. */
  readonly clock?: Clock | undefined
  /** Hears of what takes long at the start: records of a collection that were indexed anew. */
  readonly onReindex?: ((collection: string, rows: number) => void) | undefined
  /** Hears what went wrong beside any call, and what an operator should change; without it the process warns. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What several hosts share: what `createHost` takes, and its closer. */
export interface Cluster {
  /** The records. */
  readonly store: Store
  /** The journals, wake-ups and questions between hosts. */
  readonly bus: Bus
  /** The bytes of files. */
  readonly blobs: Blobs
  /** The secret of tokens, which all hosts have. */
  readonly secret: string
  /** Why PostgreSQL or Redis cannot be used just now, one sentence; null while both can. */
  trouble(): string | null
  /** Closes the three ports and the connections; twice is harmless. */
  close(): Promise<void>
}

const clusterRule = object(
  {
    ...serverRules,
    waitMs: whole(0),
    clock,
    onReindex: fn,
    onError: fn,
  } satisfies Record<keyof ClusterOptions, Rule>,
  'postgres',
  'redis',
)

const UPKEEP_MS = 20_000

/**
 * Opens what several hosts share: records and blobs in PostgreSQL, journals and wake-ups in Redis. The schema is made, or
 * brought up to date, first. Throws `StoreError` or `BusError` `unavailable` where a server cannot be used, `OptionError` for
 * an option that is wrong.
 *
 * @example
 * ```ts
 * const cluster = await openCluster({ postgres: 'postgres://svc@127.0.0.1/svc', redis: 'redis://127.0.0.1' })
 * const { store, bus, blobs, secret } = cluster
 * const host = createHost({ store, bus, blobs, secret })
 * // …
 * await host.close()
 * await cluster.close()
 * ```
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  judgeOptions('openCluster', clusterRule, options)
  const { postgres, redis, name = 'svc', connections, waitMs, clock = systemClock, onError = warn } = options
  const opened: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    const database = openDatabase({ url: postgres, connections, waitMs })
    opened.push(() => database.close())
    await migrate(database, name)
    const secret = await sharedSecret(database, name)
    const directory = openDirectory(database, name)
    const peers = await openPeers({ directory, secret, listen: options.peers, clock })
    opened.push(() => peers.close())
    const bus = await openRedisBus({ url: redis, prefix: name, secret, waitMs, clock, onError, asks: peers })
    opened.push(() => bus.close())
    const store = postgresStore({ database, schema: name, onReindex: options.onReindex })
    const blobs = postgresBlobs({ database, schema: name })
    let closing: Promise<void> | null = null
    const stop = every(UPKEEP_MS, systemClock, () => {
      Promise.all([store.upkeep(), peers.upkeep()]).catch((error: unknown) => {
        // While PostgreSQL is away, that is told by `trouble`.
        if (closing === null && database.trouble() === null) onError(error)
      })
    })
    opened.push(async () => stop())
    const trouble = () => database.trouble() ?? bus.trouble()
    return {
      store: { ...store, place: 'in PostgreSQL and Redis', trouble },
      bus,
      blobs,
      secret,
      trouble,
      close() {
        closing ??= Promise.all([store.close(), blobs.close()]).then(closeAll)
        return closing
      },
    }
  } catch (error) {
    await closeAll()
    throw error instanceof DatabaseError ? storeErrorOf(error) : error
  }
}

/** The secret that the first host made. */
async function sharedSecret(database: Database, schema: string): Promise<string> {
  const made = randomBytes(32).toString('base64url')
  const [fact] = await database.transaction(async (run) => {
    await run(`INSERT INTO ${schema}.facts VALUES ('secret', $1) ON CONFLICT DO NOTHING`, [made])
    return run<{ value: string }>(`SELECT value FROM ${schema}.facts WHERE name = 'secret'`)
  })
  if (!fact) throw new Error('PostgreSQL did not keep the secret')
  return fact.value
}

const warn = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error))
