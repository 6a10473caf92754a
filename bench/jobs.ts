import { setTimeout } from 'node:timers/promises'
import { startRedisServer } from '@svc/conformance/testing/redis-server'
import { openBull } from './cluster/jobs/queues.ts'
import {
  ACTIVE,
  AT_ONCE,
  type Extras,
  type JobQueue,
  openEngine,
  openHost,
  openQueues,
  USERS,
  type Work,
} from './jobs/contenders.ts'
import { benchStarts } from './jobs/starts.ts'
import { type Contender, compare, type Outcome } from './lib/pairs.ts'

/** Rounds of a block with jobs that do nothing, and with jobs that wait. */
const ROUNDS = 20
const WAITED_ROUNDS = 10
const WAIT_MS = 5

const noWork: Work = async () => {}
const wait: Work = () => setTimeout(WAIT_MS)

/** Jobs: how long their start takes beside a raw spawn, how many a host gets through beside p-queue, and through a pool. */
export async function benchJobs(): Promise<Outcome[]> {
  return [...(await benchStarts()), await benchNoOps(), await benchPool()]
}

/** Jobs a second of a queue that is opened for one block. */
const contender = (name: string, rounds: number, open: () => Promise<JobQueue> | JobQueue): Contender => ({
  name,
  async block() {
    const queue = await open()
    const begin = performance.now()
    for (let round = 0; round < rounds; round++) await queue.round()
    const seconds = (performance.now() - begin) / 1_000
    await queue.close()
    return (USERS * ACTIVE * rounds) / seconds
  },
})

const extras = (rows: boolean, signal: boolean): Extras => ({ rows, signal })

/** Users with as many jobs at once as each may have; so many of them run. They do nothing. */
async function benchNoOps(): Promise<Outcome> {
  const queue = (name: string, more: Extras) => contender(name, ROUNDS, () => openQueues(more, noWork))
  const equal = 'p-queue with the three rows of a job, a deadline and a signal'
  const outcome = await compare({
    title: `no-op jobs of ${USERS} users, in memory`,
    unit: 'jobs/s',
    better: 'more',
    aaWithin: 0.1,
    base: queue(equal, extras(true, true)),
    twin: queue(equal, extras(true, true)),
    others: [
      queue('p-queue', extras(false, false)),
      queue('p-queue with a deadline and a signal a job', extras(false, true)),
      queue('p-queue with the three rows of a job', extras(true, false)),
      contender('svc, its jobs alone (caps, a log of who did what, events and journals too)', ROUNDS, () =>
        openEngine(noWork),
      ),
      contender('svc, called (requests, tokens, rates, windows and their events too)', ROUNDS, () =>
        openHost(noWork),
      ),
    ],
  })
  return outcome
}

/** The same users with jobs that wait a little, so that what runs at once counts. */
async function benchPool(): Promise<Outcome> {
  const redis = await startRedisServer()
  const bull = await openBull({ redis }, { atOnce: USERS * AT_ONCE, work: wait })
  const count = USERS * ACTIVE
  const queues = (name: string, more: Extras) => contender(name, WAITED_ROUNDS, () => openQueues(more, wait))
  try {
    return await compare({
      title: `${count * WAITED_ROUNDS} jobs of ${WAIT_MS} ms, ${USERS * AT_ONCE} at once`,
      unit: 'jobs/s',
      better: 'more',
      blocks: 20,
      aaWithin: 0.1,
      base: queues('p-queue', extras(false, false)),
      twin: queues('p-queue', extras(false, false)),
      others: [
        queues('p-queue with the three rows of a job, a deadline and a signal', extras(true, true)),
        contender(bull.name, WAITED_ROUNDS, () => ({ round: () => bull.run(count), close: async () => {} })),
        contender('svc, its jobs alone', WAITED_ROUNDS, () => openEngine(wait)),
        contender('svc, called', WAITED_ROUNDS, () => openHost(wait)),
      ],
    })
  } finally {
    await bull.close()
    await redis.close()
  }
}

if (import.meta.main) await benchJobs()
