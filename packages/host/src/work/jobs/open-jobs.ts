import { openOwnership } from '../engine/ownership.ts'
import { acceptJob } from './accept.ts'
import { openActiveJobs } from './active-jobs.ts'
import { cancelAll, cancelJob } from './cancel.ts'
import { current } from './current.ts'
import { disconnected, failed } from './ending.ts'
import { finish, type Stop, stopTopic } from './finish.ts'
import { forgetJobs } from './forget.ts'
import type { Jobs } from './jobs.ts'
import { openLinks, type RunnerOf } from './links.ts'
import { type JobQuery, listJobs } from './list.ts'
import { type JobParts, type JobServices, noSuchJob, ownJob, type Whose } from './parts.ts'
import { reconcileRunners } from './reconcile.ts'
import { runJob } from './run.ts'
import { snapshotText } from './snapshot.ts'
import { sweepJobs } from './sweep.ts'

/** Opens the jobs of a host. */
export function openJobs(services: JobServices): Jobs {
  const { limits, log } = services
  const links = openLinks(services, changed)
  const activeJobs = openActiveJobs(services, links, (held) => runJob(parts, held))
  const ownership = openOwnership(services, {
    topicOf: stopTopic,
    // A word that is lost is made up for at the next heartbeat.
    heard(message) {
      const [jobId, reason]: Stop = JSON.parse(message)
      activeJobs.release(jobId, reason)
    },
    isClosed: () => activeJobs.isClosed,
  })
  const parts: JobParts = { ...services, links, activeJobs, ownership, unwritten: new Map() }
  let tail: Promise<unknown> = Promise.resolve()

  /** Who takes jobs up does so one after the other, whoever asks. */
  function inTurn(work: (parts: JobParts) => Promise<void>): Promise<void> {
    const done = tail.then(async () => {
      if (!activeJobs.isClosed) await work(parts)
    })
    tail = done.catch(() => {})
    return done
  }

  /** What ran on a link that is lost has ended, whatever that link still says. */
  function changed({ runnerId }: RunnerOf): void {
    const epoch = links.of(runnerId)?.epoch
    for (const { link, lose } of activeJobs.all())
      if (link?.id === runnerId && link.epoch !== epoch) lose(disconnected())
    activeJobs.pump()
    void inTurn(reconcileRunners)
  }

  async function list(whose: Whose, query: JobQuery): Promise<string> {
    const { records, truncated } = await listJobs(parts, whose, query)
    const shown = { last: limits.JOB_LISTED_PROGRESS }
    const texts = await Promise.all(records.map((record) => snapshotText(services, whose, record, shown)))
    return `{"jobs":[${texts.join(',')}],"truncated":${truncated}}`
  }

  return {
    start: (order) => acceptJob(parts, order),
    async get(whose, jobId, shown) {
      const record = await current(parts, await ownJob(services, whose, jobId))
      if (!record) throw noSuchJob()
      return snapshotText(services, whose, record, shown)
    },
    list,
    cancel: (whose, jobId, reason) => cancelJob(parts, whose, jobId, reason),
    cancelAll: (userId, appId, reason) => cancelAll(parts, userId, appId, reason),
    ofUser: {
      async list(userId, query = {}) {
        return JSON.parse(await list({ userId }, { limit: limits.JOB_LIST_LIMIT_DEFAULT, ...query }))
      },
      cancel: (userId, jobId, reason) => cancelJob(parts, { userId }, jobId, reason),
    },
    reconcile(userId, runnerId) {
      links.look({ userId, runnerId })
      return inTurn(reconcileRunners)
    },
    sweep: () => inTurn(sweepJobs),
    forget: () => forgetJobs(parts),
    async close() {
      if (activeJobs.isClosed) return
      links.close()
      const ending = failed('agent_unavailable', 'the host that ran this job was closed')
      for (const { jobId } of activeJobs.close()) {
        // A job that waits is left to the other hosts of the store.
        await finish(parts, jobId, ending, ({ started_at }) => started_at !== null).catch((err: unknown) => {
          log.error({ err, job: jobId }, 'the end of a job could not be written')
        })
        activeJobs.release(jobId, 'the host is closing')
      }
      await ownership.close()
    },
  }
}
