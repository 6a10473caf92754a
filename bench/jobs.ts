import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { limits, type WindowEvent } from '@svc/contract'
import { type Bus, memoryBus, systemClock } from '@svc/host'
import { createRunner, type Runner } from '@svc/runner'
import PQueue from 'p-queue'
import { openJobsHost } from './jobs/host.ts'
import { openRows } from './jobs/rows.ts'
import { compare, type Outcome, spread } from './lib/pairs.ts'
import { rawChild } from './stdio/raw-child.ts'

const PLUGIN = fileURLToPath(new URL('./stdio/raw-plugin.mjs', import.meta.url))
const STARTS_A_BLOCK = 3
const USERS = 40
const ROUNDS = 20
const HOUR_MS = 3_600_000

/** Jobs: how long their start takes beside a raw spawn, and how many the engine gets through beside p-queue. */
export async function benchJobs(): Promise<Outcome[]> {
  return [...(await start()), await engine()]
}

/** A host whose jobs run the raw plugin in real processes, and when its events stood in the user's journal. */
interface StartHost {
  readonly testHost: TestHost
  readonly window: TestWindow
  readonly runner: Runner
  readonly bus: Bus
}

async function openStartHost(): Promise<StartHost> {
  const bus = memoryBus({ clock: systemClock })
  const runner = createRunner({})
  const testHost = await openTestHost({
    bus,
    runner,
    secret: 's'.repeat(32),
    limits: { WINDOW_TOKEN_TTL_MS: HOUR_MS },
    plugins: [{ slug: 'raw', command: [process.execPath, PLUGIN] }],
    manifest: { required_plugs: ['raw'] },
  })
  await testHost.host.plugins.ready()
  return { testHost, window: await testHost.openWindow(), runner, bus }
}

/** From `invokeAsync` to the event of a job, in ms; afterwards its process is gone. */
async function untilEvent({ window, runner, bus }: StartHost, wanted: string): Promise<number> {
  const { tail } = await bus.journal.read('user:ada', 0, { limit: 0 })
  const over = new AbortController()
  const begin = performance.now()
  const started = window.call('tools', 'invokeAsync', { tool_id: 'raw', method: 'echo', args: {} })
  let took = Number.NaN
  let ended = false
  for await (const { items } of bus.journal.follow('user:ada', tail, { signal: over.signal })) {
    const events = items.map(({ item }) => JSON.parse(item) as WindowEvent<'tool_job'>)
    if (Number.isNaN(took) && events.some(({ event }) => event === wanted)) took = performance.now() - begin
    ended ||= events.some(({ terminal }) => terminal)
    if (ended) over.abort()
  }
  const answer = await started
  if (!answer.ok) throw new Error(answer.error.message)
  while (runner.stats().processes > 0) await new Promise((done) => setTimeout(done, 2))
  return took
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

const median = async (measure: () => Promise<number>) => {
  const times: number[] = []
  for (let at = 0; at < STARTS_A_BLOCK; at++) times.push(await measure())
  return spread(times).median
}

async function start(): Promise<Outcome[]> {
  const host = await openStartHost()
  const against = async (title: string, name: string, raw: () => Promise<number>, event: string) => {
    const outcome = await compare({
      title,
      unit: 'ms',
      better: 'less',
      base: { name, block: () => median(raw) },
      twin: { name, block: () => median(raw) },
      others: [{ name: 'svc', block: () => median(() => untilEvent(host, event)) }],
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
