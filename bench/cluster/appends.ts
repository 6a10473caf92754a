import { Redis } from 'ioredis'
import { type Contender, compare, type Outcome } from '../lib/pairs.ts'
import { inLanes, rate, type Servers } from './servers.ts'

const JOURNALS = 64
const APPENDS = 6_400
const ITEM = JSON.stringify({ frame: 'token', text: 'x'.repeat(100) })

/** Appends of one item to many journals, beside a bare `XADD` of each item in pipelines of the same client. */
export async function compareAppends(servers: Servers): Promise<Outcome> {
  const { bus, close } = await servers.open()
  const redis = new Redis(servers.redis.url, { protocol: 2 })
  const tails = Array.from({ length: JOURNALS }, () => 0)
  const append = async (lane: number) => {
    const written = await bus.journal.append(`bench ${lane}`, (tails[lane] ?? 0) + 1, [ITEM])
    if (!written.ok) throw new Error(`an append to journal ${lane} was refused`)
    tails[lane] = written.tail
  }
  /** All journals get an item in one pipeline, then the next. */
  const piped = (name: string, add: (pipeline: ReturnType<Redis['pipeline']>, key: string) => unknown) => ({
    name,
    block: () =>
      rate(APPENDS, () =>
        inLanes(1, APPENDS / JOURNALS, async () => {
          const pipeline = redis.pipeline()
          for (let lane = 0; lane < JOURNALS; lane++) add(pipeline, `${name}:${lane}`)
          for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error
        }),
      ),
  })
  const bare = (name: string): Contender => piped(name, (pipeline, key) => pipeline.xadd(key, '*', 'i', ITEM))
  try {
    return await compare({
      title: `appends of one item to ${JOURNALS} journals in Redis`,
      unit: 'appends/s',
      better: 'more',
      aaWithin: 0.1,
      base: bare('bare XADD, 64 a pipeline'),
      twin: bare('bare twin'),
      others: [
        piped('bare XADD and PUBLISH, 64 a pipeline', (pipeline, key) =>
          pipeline.xadd(key, '*', 'i', ITEM).publish(`c:${key}`, key),
        ),
        {
          name: 'svc: 64 writers, each waits for its own (goal ≥ 0.8)',
          block: () => rate(APPENDS, () => inLanes(JOURNALS, APPENDS, append)),
        },
      ],
    })
  } finally {
    redis.disconnect()
    await close()
  }
}
