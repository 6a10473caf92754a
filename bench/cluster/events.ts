import { atPort } from '@svc/conformance/testing/host'
import { Redis } from 'ioredis'
import { openJobFeed } from '../events/job-feed.ts'
import { compare, type Outcome, spread } from '../lib/pairs.ts'
import { startServer } from '../lib/server.ts'
import { openPages, type Pages } from './pages.ts'
import type { Servers } from './servers.ts'

const EVENTS = 40
const CHANNEL = 'bench'

/** From an event of a job on one host to a page that reads at another, one at a time, beside a bare publish. */
export async function compareEvents(servers: Servers): Promise<Outcome> {
  const { store, bus, blobs, secret, close } = await servers.open()
  const feed = await openJobFeed(8, { store, bus, blobs, secret })
  const other = await startServer(
    new URL('host.ts', import.meta.url),
    servers.postgres.url,
    servers.redis.url,
  )
  const relay = await startServer(new URL('bare-relay.ts', import.meta.url), servers.redis.url, CHANNEL)
  const redis = new Redis(servers.redis.url, { protocol: 2 })
  const far = await openPages(other.port, feed.path, [atPort(feed.cookie, other)])
  const near = await openPages(feed.port, feed.path, [feed.cookie])
  const bare = await openPages(relay.port, '/', [''])
  let told = 0
  let publishedCount = 0
  const took: number[] = []
  async function event(reader: Pages): Promise<number> {
    told += 1
    const from = performance.now()
    const seen = reader.until(feed.markOf(told))
    feed.send(told)
    await seen
    return performance.now() - from
  }
  async function published(): Promise<number> {
    publishedCount += 1
    const from = performance.now()
    const seen = bare.until(feed.markOf(publishedCount))
    const text = feed.textOf(publishedCount)
    // As the journal does: it is kept, then told.
    await redis.pipeline().xadd('bench', '*', 'i', text).publish(CHANNEL, JSON.stringify(text)).exec()
    await seen
    return performance.now() - from
  }
  const median = async (measure: () => Promise<number>, all?: number[]) => {
    const times: number[] = []
    for (let n = 0; n < EVENTS; n++) times.push(await measure())
    all?.push(...times)
    return spread(times).median
  }
  try {
    // A page that begins to read is told of the job first.
    await median(() => event(far))
    const outcome = await compare({
      title: 'an event, from the host that it happens on to a page, one at a time',
      unit: 'ms',
      better: 'less',
      aaWithin: 0.1,
      base: { name: 'bare XADD, PUBLISH, res.write of another process', block: () => median(published) },
      twin: { name: 'bare twin', block: () => median(published) },
      others: [
        { name: 'svc, a page at the same host', block: () => median(() => event(near)) },
        { name: 'svc, a page at another host (goal ≤ 3 ms)', block: () => median(() => event(far), took) },
      ],
    })
    const sorted = took.sort((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2)
    console.log(`  to another host: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`)
    return outcome
  } finally {
    for (const reader of [far, near, bare]) reader.close()
    redis.disconnect()
    await feed.close()
    await relay.close()
    await other.close()
    await close()
  }
}
