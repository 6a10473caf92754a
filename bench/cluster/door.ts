import { requestOf, type WindowCall } from '../gateway/contender.ts'
import { load } from '../lib/load.ts'
import { type Contender, compare, type Outcome } from '../lib/pairs.ts'
import { type ServerProcess, startServer } from '../lib/server.ts'
import type { Servers } from './servers.ts'

const CONNECTIONS = 64
const CALLS = 2_000
const ALONE_CALLS = 200
const WARM_UP = 10
const HOST = new URL('../gateway/svc.ts', import.meta.url)

const KEY = 'note'
const put: WindowCall = { ns: 'storage', method: 'set', args: { key: KEY, value: { text: 'x'.repeat(100) } } }

/** The calls: the first touches no row of its own. Writes of one row are one after the other, so that only one is made at once. */
const calls: readonly (readonly [title: string, call: WindowCall, isMany: boolean])[] = [
  ['window.heartbeat (goal ≤ 1.3)', { ns: 'window', method: 'heartbeat', args: {} }, true],
  ['storage.get, reads a row', { ns: 'storage', method: 'get', args: { key: KEY } }, true],
  ['storage.set, writes a row', put, false],
]

/** Calls of a host on PostgreSQL and Redis beside one in memory: its CPU time, and how long one takes alone. */
export async function compareDoors({ postgres, redis }: Servers): Promise<Outcome[]> {
  const started = [
    await startServer(HOST),
    await startServer(HOST),
    await startServer(HOST, postgres.url, redis.url),
  ] as const
  const [memory, twin, cluster] = started
  try {
    for (const server of started) await load(server.port, requestOf(server, put), 1, 1)
    const outcomes: Outcome[] = []
    for (const [title, call, isMany] of calls) {
      const cpu = (name: string, server: ServerProcess): Contender => ({
        name,
        block: () =>
          server.spent(CALLS, () => load(server.port, requestOf(server, call), CONNECTIONS, CALLS)),
      })
      const alone = (name: string, server: ServerProcess): Contender => ({
        name,
        async block() {
          const from = performance.now()
          await load(server.port, requestOf(server, call), 1, ALONE_CALLS)
          return (performance.now() - from) / ALONE_CALLS
        },
      })
      const both = (contender: (name: string, server: ServerProcess) => Contender) => ({
        base: contender('state in memory', memory),
        twin: contender('twin', twin),
        others: [contender('state in PostgreSQL and Redis', cluster)],
      })
      if (isMany)
        outcomes.push(
          await compare({
            title: `${title}: CPU of the host at ${CONNECTIONS} connections`,
            unit: 'µs',
            better: 'less',
            warmUp: WARM_UP,
            ...both(cpu),
          }),
        )
      outcomes.push(
        await compare({
          title: `${title}: one at a time`,
          unit: 'ms',
          better: 'less',
          aaWithin: 0.1,
          ...both(alone),
        }),
      )
    }
    return outcomes
  } finally {
    await Promise.all(started.map((server) => server.close()))
  }
}
