import { limits } from '@svc/contract'
import { memoryBus, systemClock } from '@svc/host'
import { openJobEngine } from '@svc/host/testing'
import PQueue from 'p-queue'
import { OWN_TOOL, ownRunner } from '../lib/own-runner.ts'
import { openJobsHost, watchedBus } from './host.ts'
import { openRows } from './rows.ts'

/** What one job does, in the process of the measurement. */
export type Work = () => Promise<void>

/** Jobs of one kind, whose users may each have so many under way at once. */
export interface JobQueue {
  /** Starts as many jobs as each user may have at once; resolves when all of them are over. */
  round(): Promise<void>
  close(): Promise<void>
}

/** How many of the same users each way has, and how many jobs of one of them are under way and run at once. */
export const USERS = 40
export const ACTIVE = limits.JOBS_ACTIVE_PER_USER
export const AT_ONCE = limits.JOBS_RUNNING_PER_RUNNER

const users = Array.from({ length: USERS }, (_, at) => `user${at}`)

/** What a queue of p-queue does beside the work, as a job of svc does. */
export interface Extras {
  /** The three rows of a job, under the same indexes. */
  readonly rows: boolean
  /** The timer of a deadline, and a signal that could cancel it. */
  readonly signal: boolean
}

/** p-queue: one for each user, which runs as many at once. */
export function openQueues({ rows: hasRows, signal: hasSignal }: Extras, work: Work): JobQueue {
  const rows = openRows()
  const queues = users.map((user) => [user, new PQueue({ concurrency: AT_ONCE })] as const)
  const places = queues.flatMap((queue) => Array.from({ length: ACTIVE }, () => queue))

  async function run(user: string, queue: PQueue): Promise<void> {
    const row = hasRows ? await rows.insert(user) : null
    const job = async () => {
      await row?.start()
      await work()
      await row?.end()
    }
    if (!hasSignal) return queue.add(job)
    const { signal } = new AbortController()
    return queue.add(job, { timeout: limits.JOB_DEADLINE_DEFAULT_MS, signal })
  }
  return {
    async round() {
      await Promise.all(places.map(([user, queue]) => run(user, queue)))
    },
    close: () => rows.close(),
  }
}

/** A runner whose jobs do the work and nothing else. */
const runnerOf = (work: Work) =>
  ownRunner(async ({ onStarted }) => {
    onStarted()
    await work()
    return { ok: true, payload: {}, json: '{}', bytes: 2 }
  })

/** The whole host: pages of all users call `tools.invokeAsync`. */
export async function openHost(work: Work): Promise<JobQueue> {
  const host = await openJobsHost(users, { runner: runnerOf(work) })
  let ended = 0
  return {
    async round() {
      ended += USERS * ACTIVE
      await Promise.all(users.map((user) => host.start(user, ACTIVE)))
      await host.ended(ended)
    },
    close: host.close,
  }
}

/** The jobs of a host by themselves: no requests, dispatch or windows. */
export async function openEngine(work: Work): Promise<JobQueue> {
  const memory = memoryBus({ clock: systemClock })
  const { bus, ended } = watchedBus(memory)
  const engine = openJobEngine({ bus, runner: runnerOf(work) })
  for (const user of users) await engine.addUser(user)
  const places = users.flatMap((user) => Array.from({ length: ACTIVE }, () => user))
  let begun = 0
  return {
    async round() {
      begun += places.length
      await Promise.all(places.map((user) => engine.start(user, OWN_TOOL)))
      await ended(begun)
    },
    async close() {
      await engine.close()
      await memory.close()
    },
  }
}
