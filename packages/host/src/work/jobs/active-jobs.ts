import { openActive } from '../engine/active.ts'
import type { WorkServices } from '../services.ts'
import { type Stop, stopTopic } from './finish.ts'
import type { HeldJob } from './held-job.ts'
import type { Links, RunnerOf } from './links.ts'

/** The places of one user at one runner. */
interface Places extends RunnerOf {
  readonly waiting: HeldJob[]
  running: number
  /** Those that wait, that run, and that are being accepted. */
  held: number
}

/**
 * Opens the jobs that this host holds: a few places for each user and runner, and who waits for one. `run` runs one
 * job and never rejects; it returns `false` when the job could not be begun
 * and is to be tried again at the next `pump`. A place is free again when `run` is done with it.
 */
export function openActiveJobs(
  services: Pick<WorkServices, 'bus' | 'hosts' | 'metrics'>,
  links: Links,
  run: (held: HeldJob) => Promise<boolean>,
) {
  const { metrics } = services
  const byRunner = new Map<string, Map<string, Places>>()
  const active = openActive<HeldJob>(services, {
    topicOf: stopTopic,
    // If a message is lost, the next heartbeat notices it.
    onMessage(message) {
      const [jobId, reason]: Stop = JSON.parse(message)
      release(jobId, reason)
    },
  })

  const placesOf = (userId: string, runnerId: string) => byRunner.get(runnerId)?.get(userId)

  function start(places: Places): void {
    const { runnerId, waiting } = places
    if (!links.of(runnerId)) leave(places)
    while (!active.isClosed() && places.running < links.slots(runnerId) && links.isOpen(runnerId)) {
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
    for (const { id } of [...places.waiting]) release(id, 'its runner is away')
    links.markDue(places)
  }

  /** Ends a job here, whether it waits or runs; a job that is not held is ignored. */
  function release(jobId: string, reason: string): void {
    const job = active.get(jobId)
    if (!job || !active.release(job)) return
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
    ...active,
    /** Adds a job; it has no place in the queue yet. Errors: `agent_unavailable` once the host closes. */
    hold(job: HeldJob): void {
      active.hold(job)
      const { userId, runnerId } = job
      const users = byRunner.get(runnerId) ?? new Map<string, Places>()
      byRunner.set(runnerId, users)
      const places = users.get(userId) ?? { userId, runnerId, waiting: [], running: 0, held: 0 }
      users.set(userId, places)
      places.held += 1
      metrics.jobs(1)
    },
    /** Puts a held job into the queue of its runner, first come first served. */
    enqueue(job: HeldJob): void {
      const places = placesOf(job.userId, job.runnerId)
      if (!places || active.get(job.id) !== job) return
      const { waiting } = places
      waiting.splice(waiting.findLastIndex((one) => one.createdAt <= job.createdAt) + 1, 0, job)
      start(places)
    },
    release,
    /** Starts what waits and has a place; what waits for a runner that is not connected here is released. */
    pump(): void {
      for (const users of [...byRunner.values()]) for (const places of [...users.values()]) start(places)
    },
    /** How many jobs are held for a user at a runner: those that are being accepted, that wait, and that run. */
    heldFor: (userId: string, runnerId: string): number => placesOf(userId, runnerId)?.held ?? 0,
  }
}

export type ActiveJobs = ReturnType<typeof openActiveJobs>
