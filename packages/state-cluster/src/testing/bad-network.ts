import { type FaultyRelay, openFaultyRelay } from '@svc/conformance/testing/faulty-relay'
import { freePort } from '@svc/conformance/testing/free-port'
import type { PostgresServer } from '@svc/conformance/testing/postgres-server'
import type { RedisServer } from '@svc/conformance/testing/redis-server'
import { type Cluster, openCluster } from '../open-cluster.ts'

/** A host's part of a cluster, each of whose ways has a relay: to PostgreSQL, to Redis, and from the other hosts to it. */
export interface Member {
  readonly cluster: Cluster
  readonly ways: readonly FaultyRelay[]
  close(): Promise<void>
}

/** Opens one. */
export async function openMember(
  postgres: PostgresServer,
  redis: RedisServer,
  name: string,
): Promise<Member> {
  const toPostgres = await openFaultyRelay(postgres.port)
  const toRedis = await openFaultyRelay(redis.port)
  const port = await freePort()
  const toPeer = await openFaultyRelay(port)
  const ways = [toPostgres, toRedis, toPeer]
  const cluster = await openCluster({
    postgres: `postgres://postgres@127.0.0.1:${toPostgres.port}/postgres`,
    redis: `redis://127.0.0.1:${toRedis.port}`,
    name,
    peers: { port, url: `http://127.0.0.1:${toPeer.port}` },
    onError: () => {},
  })
  return {
    cluster,
    ways,
    async close() {
      await cluster.close()
      for (const way of ways) await way.close()
    },
  }
}

/** What can happen to a way, and for how long, ms. */
const faults: readonly (readonly [name: string, begin: (way: FaultyRelay) => void])[] = [
  ['cut', (way) => way.cut()],
  ['refuse', (way) => way.refuse()],
  ['lose what goes there', (way) => way.hush(['to'])],
  ['lose what comes back', (way) => way.hush(['from'])],
  ['lose everything', (way) => way.hush(['to', 'from'])],
  [
    'delay',
    (way) => {
      way.delayMs = 20
    },
  ],
]
const FAULT_MAX_MS = 300
const PAUSE_MAX_MS = 120

/** Lets one way after the other go wrong as `random` draws, until it is told to end; then all are well. */
export function trouble(members: readonly Member[], random: () => number): () => Promise<void> {
  const end = new AbortController()
  const draw = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      end.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  const mend = (way: FaultyRelay) => {
    way.delayMs = 0
    way.mend()
  }
  async function go(): Promise<void> {
    while (!end.signal.aborted) {
      const way = draw(draw(members).ways)
      draw(faults)[1](way)
      await wait(random() * FAULT_MAX_MS)
      mend(way)
      await wait(random() * PAUSE_MAX_MS)
    }
  }
  const gone = go()
  return async () => {
    end.abort()
    await gone
  }
}
