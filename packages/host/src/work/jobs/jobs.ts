import type { JobSnapshot, JobState } from '@svc/contract'
import { forgetEnded } from '../engine/retention.ts'
import type { WorkOwner } from '../engine/work-owner.ts'
import type { WorkServices } from '../services.ts'
import { acceptJob, type JobOrder } from './accept.ts'
import { type ActiveJobs, openActiveJobs } from './active-jobs.ts'
import { cancelAll, cancelJob } from './cancel.ts'
import { disconnected, type Ending, failed } from './ending.ts'
import { currentJob, finish } from './finish.ts'
import type { JobRecord } from './job-row.ts'
import { type Links, openLinks, type RunnerOf } from './links.ts'
import { type JobQuery, listJobs } from './list.ts'
import { noSuchJob, ownJob } from './own-job.ts'
import { reconcileRunners } from './reconcile.ts'
import { retention } from './retention.ts'
import { runJob } from './run.ts'
import { snapshotText } from './snapshot.ts'
import { sweepJobs } from './sweep.ts'

/** What jobs need of the host's services. */
export type JobServices = Pick<
  WorkServices,
  | 'clock'
  | 'newId'
  | 'limits'
  | 'log'
  | 'metrics'
  | 'audit'
  | 'store'
  | 'bus'
  | 'events'
  | 'plugins'
  | 'runners'
  | 'hosts'
  | 'samplings'
>

/** The services of jobs, with the jobs that this host holds. */
export interface JobParts extends JobServices {
  readonly activeJobs: ActiveJobs
  readonly links: Links
  /** How jobs are to end whose end could not be written, by job id; the sweeper tries again. */
  readonly unwritten: Map<string, Ending>
}

/** How a cancel went: `cancelled` only by the call that did it. */
export interface CancelResult {
  /** The id of the job. */
  readonly jobId: string
  /** The state that it is in now. */
  readonly state: JobState
  /** Whether this call cancelled it. */
  readonly cancelled: boolean
}

/** A job on the user's page: over all apps, so each names its app. */
export type UserJob = JobSnapshot & {
  /** The app that started it. */
  readonly app_id: string
}

/** What the programmatic twins of the page's routes do with jobs. */
export interface UserJobs {
  /** The user's jobs over all apps, newest first; each shows the last of its progress. */
  list(userId: string, query?: Partial<JobQuery>): Promise<{ jobs: UserJob[]; truncated: boolean }>
  /** Cancels a job of the user. Errors: `job_not_found`. */
  cancel(userId: string, jobId: string, reason?: string): Promise<CancelResult>
}

/** Opens the jobs of a host: what the handlers, the routes and the sweeper do with them. */
export function openJobs(services: JobServices) {
  const { limits, log } = services
  const links = openLinks(services, changed)
  const activeJobs = openActiveJobs(services, links, (held) => runJob(parts, held))
  const parts: JobParts = { ...services, links, activeJobs, unwritten: new Map() }
  let tail: Promise<unknown> = Promise.resolve()

  /** Who takes jobs up does so one after the other, whoever asks. */
  function inTurn(work: (parts: JobParts) => Promise<void>): Promise<void> {
    const done = tail.then(async () => {
      if (!activeJobs.isClosed()) await work(parts)
    })
    tail = done.catch(() => {})
    return done
  }

  /** What ran on a link that is lost has ended, whatever that link still sends. */
  function changed({ runnerId }: RunnerOf): void {
    const epoch = links.of(runnerId)?.epoch
    for (const job of activeJobs.all())
      if (job.link?.id === runnerId && job.link.epoch !== epoch) job.lose(disconnected())
    activeJobs.pump()
    void inTurn(reconcileRunners)
  }

  /** Jobs, newest first, as JSON text of `{jobs, truncated}`; each shows the last of its progress. */
  async function list(owner: WorkOwner, query: JobQuery): Promise<string> {
    const { records, truncated } = await listJobs(parts, owner, query)
    const shown = { last: limits.JOB_LISTED_PROGRESS }
    const texts = await Promise.all(records.map((record) => snapshotText(services, owner, record, shown)))
    return `{"jobs":[${texts.join(',')}],"truncated":${truncated}}`
  }

  const cancel = (owner: WorkOwner, jobId: string, reason?: string): Promise<CancelResult> =>
    cancelJob(parts, owner, jobId, reason)

  const ofUser: UserJobs = {
    async list(userId, query = {}) {
      return JSON.parse(await list({ userId }, { limit: limits.JOB_LIST_LIMIT_DEFAULT, ...query }))
    },
    cancel: (userId, jobId, reason) => cancel({ userId }, jobId, reason),
  }

  return {
    /** Takes a job on. Errors: `agent_unavailable`, `job_quota_exceeded`, `long_job_capacity`. */
    start: (order: JobOrder): Promise<JobRecord> => acceptJob(parts, order),
    /** A job with the progress after a seq: the JSON text of a `JobSnapshot`. Errors: `job_not_found`. */
    async get(owner: WorkOwner, jobId: string, shown: { after: number; limit: number }): Promise<string> {
      const record = await currentJob(parts, await ownJob(services, owner, jobId))
      if (!record) throw noSuchJob()
      return snapshotText(services, owner, record, shown)
    },
    list,
    /** Cancels a job. Errors: `job_not_found`. */
    cancel,
    /** Cancels what an app of a user has under way: it was uninstalled. */
    cancelAll: (userId: string, appId: string, reason: string): Promise<void> =>
      cancelAll(parts, userId, appId, reason),
    /** The same for the user's page. */
    ofUser,
    /** Updates the jobs of a runner that was revoked: they fail. Never rejects. */
    reconcile(userId: string, runnerId: string): Promise<void> {
      links.markDue({ userId, runnerId })
      return inTurn(reconcileRunners)
    },
    /** Ends what is due or lost; the sweeper calls it. */
    sweep: () => inTurn(sweepJobs),
    /** Forgets what ended long ago; the sweeper calls it. */
    forget: () => forgetEnded(parts, retention, 'endedAt', limits.JOB_KEPT_MS),
    /** Ends what runs here and leaves what waits to other hosts. Twice is harmless. */
    async close(): Promise<void> {
      if (activeJobs.isClosed()) return
      links.close()
      const ending = failed('agent_unavailable', 'the host that ran this job was closed')
      for (const { id: jobId } of activeJobs.close()) {
        // A job that waits is left to the other hosts of the store.
        await finish(parts, jobId, ending, ({ started_at }) => started_at !== null).catch((err: unknown) => {
          log.error({ err, job: jobId }, 'the end of a job could not be written')
        })
        activeJobs.release(jobId, 'the host is closing')
      }
      await activeJobs.unsubscribe()
    },
  }
}

export type Jobs = ReturnType<typeof openJobs>
