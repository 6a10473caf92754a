import { limits } from '@svc/contract'
import { type NoopQueue, openBoss, openBull, openGraphile } from './cluster/jobs/queues.ts'
import { rate, type Servers, startServers } from './cluster/servers.ts'
import { openJobsHost } from './jobs/host.ts'
import { type Contender, compare, type Outcome } from './lib/pairs.ts'

const USERS = 40
const ROUNDS = 2
const BLOCKS = 6

/** No-op jobs of a host on PostgreSQL and Redis, beside queues on the same servers. */
export async function benchClusterJobs(): Promise<Outcome> {
  const servers = await startServers()
  const opened: NoopQueue[] = []
  const open = async (one: Promise<NoopQueue>) => {
    const queue = await one
    opened.push(queue)
    return queue
  }
  try {
    const graphile = await open(openGraphile(servers))
    const others = [
      await open(openBoss(servers)),
      await open(openBull(servers)),
      await open(openOurs(servers)),
    ]
    const count = USERS * limits.JOBS_ACTIVE_PER_USER
    const contender = (queue: NoopQueue): Contender => ({
      name: queue.name,
      block: () =>
        rate(count * ROUNDS, async () => {
          for (let round = 0; round < ROUNDS; round++) await queue.run(count)
        }),
    })
    return await compare({
      title: `no-op jobs, ${count} at once, each by a call of its own`,
      unit: 'jobs/s',
      better: 'more',
      blocks: BLOCKS,
      warmUp: 1,
      aaWithin: 0.1,
      base: contender(graphile),
      twin: contender(graphile),
      others: others.map(contender),
    })
  } finally {
    for (const queue of opened.reverse()) await queue.close()
    await servers.close()
  }
}

/** Jobs of our users, as many as each may have at once. */
async function openOurs(servers: Servers): Promise<NoopQueue> {
  const { store, bus, close } = await servers.open()
  const users = Array.from({ length: USERS }, (_, at) => `user${at}`)
  const host = await openJobsHost(users, { state: { store, bus } })
  let ended = 0
  return {
    name: 'svc (both; at most once, caps of each user, a row that is kept, events to the page)',
    async run(count) {
      ended += count
      await Promise.all(users.map((user) => host.start(user, count / users.length)))
      await host.ended(ended)
    },
    async close() {
      await host.close()
      await close()
    },
  }
}

if (import.meta.main) await benchClusterJobs()
