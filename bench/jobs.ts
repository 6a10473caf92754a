import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { limits } from '@svc/contract'
import PQueue from 'p-queue'
import { openJobsHost } from './jobs/host.ts'
import { openRows } from './jobs/rows.ts'
import { medianStart, openStartHost, PLUGIN, untilEvent } from './jobs/start-host.ts'
import { compare, type Outcome } from './lib/pairs.ts'
import { rawChild } from './stdio/raw-child.ts'

const USERS = 40
const ROUNDS = 20

/** Jobs: how long their start takes beside a raw spawn, and how many the engine gets through beside p-queue. */
export async function benchJobs(): Promise<Outcome[]> {
  return [...(await start()), await engine()]
}

/** From `spawn` to its event, in ms; afterwards the process is gone. */
async function untilSpawned(): Promise<number> {
  const begin = performance.now()
  const child = spawn(process.execPath, [PLUGIN], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  await once(child, 'spawn')
  const took = performance.now() - begin
  child.stdin.end()
  await once(child, 'exit')
  return took
}

/** From `spawn` to the answer to a call, in ms; afterwards the process is gone. */
async function untilAnswered(): Promise<number> {
  const begin = performance.now()
  const child = rawChild()
  await child.ask('call', { name: 'echo', args: {} })
  const took = performance.now() - begin
  await child.close()
  return took
}

async function start(): Promise<Outcome[]> {
  const host = await openStartHost({})
  const against = async (title: string, name: string, raw: () => Promise<number>, event: string) => {
    const outcome = await compare({
      title,
      unit: 'ms',
      better: 'less',
      base: { name, block: () => medianStart(raw) },
      twin: { name, block: () => medianStart(raw) },
      others: [{ name: 'svc', block: () => medianStart(() => untilEvent(host, event)) }],
    })
    const [base, , svc] = outcome.rows.map(({ figure }) => figure.median)
    console.log(`  svc takes ${((svc ?? Number.NaN) - (base ?? Number.NaN)).toFixed(2)} ms more`)
    return outcome
  }
  try {
    return [
      await against('a job, start to running', 'raw spawn', untilSpawned, 'running'),
      await against('a job, start to its result', 'raw spawn and call', untilAnswered, 'succeeded'),
    ]
  } finally {
    await host.testHost.close()
    await host.runner.close()
  }
}

/** Users with as many jobs at once as each may have; so many of them run. */
async function engine(): Promise<Outcome> {
  const users = Array.from({ length: USERS }, (_, at) => `user${at}`)
  const lanes = users.flatMap((user) => Array.from({ length: limits.JOBS_ACTIVE_PER_USER }, () => user))
  const jobsPerSecond = (begin: number) => (lanes.length * ROUNDS) / ((performance.now() - begin) / 1_000)

  async function ours(): Promise<number> {
    const host = await openJobsHost(users)
    const begin = performance.now()
    for (let round = 1; round <= ROUNDS; round++) {
      await Promise.all(users.map((user) => host.start(user, limits.JOBS_ACTIVE_PER_USER)))
      await host.ended(round * lanes.length)
    }
    const figure = jobsPerSecond(begin)
    await host.close()
    return figure
  }
  async function queued(job: (user: string, queue: PQueue) => Promise<unknown>): Promise<number> {
    const concurrency = limits.JOBS_RUNNING_PER_RUNNER
    const queues = users.map((user) => [user, new PQueue({ concurrency })] as const)
    const places = queues.flatMap((queue) => Array.from({ length: limits.JOBS_ACTIVE_PER_USER }, () => queue))
    const begin = performance.now()
    for (let round = 1; round <= ROUNDS; round++)
      await Promise.all(places.map(([user, queue]) => job(user, queue)))
    return jobsPerSecond(begin)
  }
  const theirs = () => queued((_user, queue) => queue.add(() => Promise.resolve({})))
  const theirsWithSignal = () =>
    queued((_user, queue) => {
      const { signal } = new AbortController()
      return queue.add(() => Promise.resolve({}), { timeout: limits.JOB_DEADLINE_DEFAULT_MS, signal })
    })
  async function theirsWithRows(): Promise<number> {
    const rows = openRows()
    const figure = await queued(async (user, queue) => {
      const row = await rows.insert(user)
      await queue.add(async () => {
        await row.start()
        await row.end()
      })
    })
    await rows.close()
    return figure
  }
  const outcome = await compare({
    title: `no-op jobs of ${USERS} users, in memory`,
    unit: 'jobs/s',
    better: 'more',
    aaWithin: 0.1,
    base: { name: 'p-queue', block: theirs },
    twin: { name: 'p-queue', block: theirs },
    others: [
      { name: 'p-queue with a deadline and a signal a job', block: theirsWithSignal },
      { name: 'p-queue and the three rows of a job', block: theirsWithRows },
      { name: 'svc, called (dispatch, rows, caps, journals, events)', block: ours },
    ],
  })
  const svc = outcome.rows.at(-1)?.ratio.median ?? Number.NaN
  for (const { name, ratio } of outcome.rows.slice(2, -1))
    console.log(`  svc reaches × ${(svc / ratio.median).toFixed(3)} of ${name}`)
  return outcome
}

if (import.meta.main) await benchJobs()
