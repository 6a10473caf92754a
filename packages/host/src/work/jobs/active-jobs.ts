import { hostCloses } from '../engine/ownership.ts'
import type { WorkServices } from '../services.ts'
import type { HeldJob } from './held-job.ts'
import type { Links, RunnerOf } from './links.ts'

/** The jobs that this host holds: a few places for each user and runner, and who waits for one. */
export interface ActiveJobs {
  get(jobId: string): HeldJob | undefined
  /** Adds a job; it has no place in the queue yet. Errors: `agent_unavailable` once the list is closed. */
  hold(held: HeldJob): void
  /** Puts a held job into the queue of its runner, first come first served. */
  enqueue(held: HeldJob): void
  /** Ends a job here, whether it waits or runs; a job that is not held is no matter. */
  release(jobId: string, reason: string): void
  /** Starts what waits and has a place; what waits for a runner that is not connected here is let go. */
  pump(): void
  /** How many jobs are held for a user at a runner: those that are being accepted, that wait, and that run. */
  heldFor(userId: string, runnerId: string): number
  /** All of them. */
  all(): Iterable<HeldJob>
  readonly isClosed: boolean
  /** Takes up and starts nothing more; returns the jobs that are held. */
  close(): HeldJob[]
}

/** The places of one user at one runner. */
interface Places extends RunnerOf {
  readonly waiting: HeldJob[]
  running: number
  /** Those that wait, that run, and that are being accepted. */
  held: number
}

/**
 * Opens the list of active jobs. `run` runs one job and never rejects; it returns `false` when the job could not be begun
 * and is to be tried again at the next `pump`. A place is free again when `run` is done with it.
 */
export function openActiveJobs(
  { metrics }: Pick<WorkServices, 'metrics'>,
  links: Links,
  run: (held: HeldJob) => Promise<boolean>,
): ActiveJobs {
  const held = new Map<string, HeldJob>()
  const byRunner = new Map<string, Map<string, Places>>()
  let closed = false

  const placesOf = (userId: string, runnerId: string) => byRunner.get(runnerId)?.get(userId)

  function start(places: Places): void {
    const { runnerId, waiting } = places
    if (!links.of(runnerId)) leave(places)
    while (!closed && places.running < links.slots(runnerId) && links.isOpen(runnerId)) {
      const next = waiting.shift()
      if (!next) break
      places.running += 1
      void run(next).then((done) => {
        places.running -= 1
        if (!done && !next.isOver) waiting.unshift(next)
        else start(places)
      })
    }
    forget(places)
  }

  /** The rows stay as they are: whichever host the runner comes back to takes them up. */
  function leave(places: Places): void {
    if (places.waiting.length === 0) return
    for (const { jobId } of [...places.waiting]) release(jobId, 'its runner is away')
    links.look(places)
  }

  function release(jobId: string, reason: string): void {
    const job = held.get(jobId)
    if (!job) return
    held.delete(jobId)
    metrics.jobs(-1)
    job.release(reason)
    const places = placesOf(job.userId, job.runnerId)
    if (!places) return
    places.held -= 1
    const at = places.waiting.indexOf(job)
    if (at >= 0) places.waiting.splice(at, 1)
    forget(places)
  }

  function forget(places: Places): void {
    if (places.running > 0 || places.held > 0) return
    const { userId, runnerId } = places
    const users = byRunner.get(runnerId)
    users?.delete(userId)
    if (users?.size === 0) byRunner.delete(runnerId)
  }

  return {
    get: (jobId) => held.get(jobId),
    hold(job) {
      if (closed) throw hostCloses()
      const { userId, runnerId } = job
      const users = byRunner.get(runnerId) ?? new Map<string, Places>()
      byRunner.set(runnerId, users)
      const places = users.get(userId) ?? { userId, runnerId, waiting: [], running: 0, held: 0 }
      users.set(userId, places)
      places.held += 1
      held.set(job.jobId, job)
      metrics.jobs(1)
    },
    enqueue(job) {
      const places = placesOf(job.userId, job.runnerId)
      if (!places || held.get(job.jobId) !== job) return
      const { waiting } = places
      waiting.splice(waiting.findLastIndex((one) => one.createdAt <= job.createdAt) + 1, 0, job)
      start(places)
    },
    release,
    pump() {
      for (const users of [...byRunner.values()]) for (const places of [...users.values()]) start(places)
    },
    heldFor: (userId, runnerId) => placesOf(userId, runnerId)?.held ?? 0,
    all: () => held.values(),
    get isClosed() {
      return closed
    },
    close() {
      closed = true
      return [...held.values()]
    },
  }
}
