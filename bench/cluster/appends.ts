import { Redis } from 'ioredis'
import { type Contender, compare, type Outcome } from '../lib/pairs.ts'
import { inLanes, rate, type Servers } from './servers.ts'

const JOURNALS = 64
const APPENDS = 12_800
const ITEM = JSON.stringify({ frame: 'token', text: 'x'.repeat(100) })

/** Appends of one item to many journals, beside a bare `XADD` of each item in pipelines of the same client. */
export async function compareAppends(servers: Servers): Promise<Outcome[]> {
  const { bus, close } = await servers.open()
  const redis = new Redis(servers.redis.url, { protocol: 2 })
  const tails = Array.from({ length: JOURNALS }, () => 0)
  const append = async (lane: number) => {
    const written = await bus.journal.append(`bench ${lane}`, (tails[lane] ?? 0) + 1, [ITEM])
    if (!written.ok) throw new Error(`an append to journal ${lane} was refused`)
    tails[lane] = written.tail
  }
  /** All journals get an item in one pipeline, then the next. */
  const piped = (name: string, add: (pipeline: ReturnType<Redis['pipeline']>, key: string) => unknown) =>
    ({
      name,
      appendAll: () =>
        inLanes(1, APPENDS / JOURNALS, async () => {
          const pipeline = redis.pipeline()
          for (let lane = 0; lane < JOURNALS; lane++) add(pipeline, `${name}:${lane}`)
          for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error
        }),
    }) as const
  const bare = (name: string) => piped(name, (pipeline, key) => pipeline.xadd(key, '*', 'i', ITEM))
  const told = piped('bare XADD and PUBLISH, 64 a pipeline', (pipeline, key) =>
    pipeline.xadd(key, '*', 'i', ITEM).publish(`c:${key}`, key),
  )
  const ours = {
    name: 'svc: 64 writers, each waits for its own',
    appendAll: () => inLanes(JOURNALS, APPENDS, append),
  }
  const [base, twin] = [bare('bare XADD, 64 a pipeline'), bare('bare twin')]
  type One = typeof ours
  const inTime = ({ name, appendAll }: One): Contender => ({ name, block: () => rate(APPENDS, appendAll) })
  const inCpu = ({ name, appendAll }: One): Contender => ({
    name,
    async block() {
      const before = await cpuOf(redis)
      await appendAll()
      return ((await cpuOf(redis)) - before) / APPENDS
    },
  })
  try {
    return [
      await compare({
        title: `appends of one item to ${JOURNALS} journals in Redis (goal ≥ 0.8)`,
        unit: 'appends/s',
        better: 'more',
        aaWithin: 0.1,
        base: inTime(base),
        twin: inTime(twin),
        others: [inTime(told), inTime(ours)],
      }),
      await compare({
        title: 'the same: CPU of the client and of Redis',
        unit: 'µs an append',
        better: 'less',
        base: inCpu(base),
        twin: inCpu(twin),
        others: [inCpu(told), inCpu(ours)],
      }),
    ]
  } finally {
    redis.disconnect()
    await close()
  }
}

/** CPU time of this process and of Redis, µs. */
async function cpuOf(redis: Redis): Promise<number> {
  const info = await redis.info('cpu')
  const of = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]) * 1e6
  const { user, system } = process.cpuUsage()
  return user + system + of('used_cpu_user') + of('used_cpu_sys')
}
