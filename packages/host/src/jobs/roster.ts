import type { House } from '../house.ts'
import type { HeldJob } from './held-job.ts'
import { hostCloses } from './parts.ts'

/** The jobs that this host holds: a few places for each user, and who waits for one, first come first served. */
export interface Roster {
  get(jobId: string): HeldJob | undefined
  /** Takes a job up; it has no place in the queue yet. Errors: `agent_unavailable` once the roster is closed. */
  hold(held: HeldJob): void
  /** Puts a held job at the end of its user's queue. */
  enqueue(held: HeldJob): void
  /** Ends a job here, whether it waits or runs; a job that is not held is no matter. */
  letGo(jobId: string, reason: string): void
  /** Starts what waits and has a place. */
  pump(): void
  readonly isClosed: boolean
  /** Takes up and starts nothing more; answers the jobs that are held. */
  close(): HeldJob[]
}

/** The places of one user (decisions 9 and 32f). */
interface Places {
  readonly waiting: HeldJob[]
  running: number
}

/**
 * Opens the roster. `run` runs one job and never rejects; it answers `false` when the job could not be begun and is to
 * be tried again at the next `pump`. A place is free again when `run` is done with it.
 */
export function openRoster(
  { limits, metrics }: Pick<House, 'limits' | 'metrics'>,
  run: (held: HeldJob) => Promise<boolean>,
): Roster {
  const held = new Map<string, HeldJob>()
  const byUser = new Map<string, Places>()
  let closed = false

  function start(userId: string, places: Places): void {
    while (!closed && places.running < limits.JOBS_RUNNING_PER_RUNNER) {
      const next = places.waiting.shift()
      if (!next) break
      places.running += 1
      void run(next).then((done) => {
        places.running -= 1
        if (!done && !next.isOver) places.waiting.unshift(next)
        else start(userId, places)
      })
    }
    if (places.running === 0 && places.waiting.length === 0) byUser.delete(userId)
  }

  return {
    get: (jobId) => held.get(jobId),
    hold(job) {
      if (closed) throw hostCloses()
      held.set(job.jobId, job)
      metrics.jobs(1)
    },
    enqueue(job) {
      const places = byUser.get(job.userId) ?? { waiting: [], running: 0 }
      byUser.set(job.userId, places)
      places.waiting.push(job)
      start(job.userId, places)
    },
    letGo(jobId, reason) {
      const job = held.get(jobId)
      if (!job) return
      held.delete(jobId)
      metrics.jobs(-1)
      job.letGo(reason)
      const waiting = byUser.get(job.userId)?.waiting ?? []
      const at = waiting.indexOf(job)
      if (at >= 0) waiting.splice(at, 1)
    },
    pump() {
      for (const [userId, places] of byUser) start(userId, places)
    },
    get isClosed() {
      return closed
    },
    close() {
      closed = true
      return [...held.values()]
    },
  }
}
