import type { House } from '../house.ts'
import type { HeldJob } from './held-job.ts'

/** The jobs that this host holds: a few places for each user, and who waits for one, first come first served. */
export interface Desk {
  get(jobId: string): HeldJob | undefined
  /** Takes a job up; it has no place in the queue yet. */
  hold(held: HeldJob): void
  /** Puts a held job at the end of its user's queue. */
  enqueue(held: HeldJob): void
  /** Ends a job here, whether it waits or runs; a job that is not held is no matter. */
  letGo(jobId: string, reason: string): void
  /** Starts what waits and has a place. */
  pump(): void
  /** The jobs that are held. */
  all(): HeldJob[]
}

/** The places of one user (decisions 9 and 32f). */
interface Lane {
  readonly waiting: HeldJob[]
  running: number
}

/**
 * Opens the desk. `run` runs one job and never rejects; it answers `false` when the job could not be begun and is to
 * be tried again at the next `pump`. A place is free again when `run` is done with it.
 */
export function openDesk(
  { limits, metrics }: Pick<House, 'limits' | 'metrics'>,
  run: (held: HeldJob) => Promise<boolean>,
): Desk {
  const held = new Map<string, HeldJob>()
  const lanes = new Map<string, Lane>()

  function pumpLane(userId: string, lane: Lane): void {
    while (lane.running < limits.JOBS_RUNNING_PER_RUNNER) {
      const next = lane.waiting.shift()
      if (!next) break
      lane.running += 1
      void run(next).then((done) => {
        lane.running -= 1
        if (!done && !next.signal.aborted) lane.waiting.unshift(next)
        else pumpLane(userId, lane)
      })
    }
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(userId)
  }

  return {
    get: (jobId) => held.get(jobId),
    hold(job) {
      held.set(job.jobId, job)
      metrics.jobs(1)
    },
    enqueue(job) {
      const lane = lanes.get(job.userId) ?? { waiting: [], running: 0 }
      lanes.set(job.userId, lane)
      lane.waiting.push(job)
      pumpLane(job.userId, lane)
    },
    letGo(jobId, reason) {
      const job = held.get(jobId)
      if (!job) return
      held.delete(jobId)
      metrics.jobs(-1)
      job.letGo(reason)
      const waiting = lanes.get(job.userId)?.waiting ?? []
      const at = waiting.indexOf(job)
      if (at >= 0) waiting.splice(at, 1)
    },
    pump() {
      for (const [userId, lane] of lanes) pumpLane(userId, lane)
    },
    all: () => [...held.values()],
  }
}
