import type { JobSnapshot, JobState } from '@svc/contract'
import type { JobOrder } from './accept.ts'
import type { JobRecord } from './job-row.ts'
import type { JobQuery } from './list.ts'
import type { Whose } from './parts.ts'

/** How a cancel went: `cancelled` only by the call that did it. */
export interface CancelResult {
  /** The id of the job. */
  readonly jobId: string
  /** The state that it is in now. */
  readonly state: JobState
  /** Whether this call cancelled it. */
  readonly cancelled: boolean
}

/** A job on the user's page: over all apps, so each says whose it is. */
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

/** Tool jobs: what the handlers, the routes and the sweeper do with them. */
export interface Jobs {
  /** Takes a job on. Errors: `agent_unavailable`, `job_quota_exceeded`, `long_job_capacity`. */
  start(order: JobOrder): Promise<JobRecord>
  /** A job with the progress after a seq: the JSON text of a `JobSnapshot`. Errors: `job_not_found`. */
  get(whose: Whose, jobId: string, shown: { after: number; limit: number }): Promise<string>
  /** Jobs, newest first, as JSON text of `{jobs, truncated}`; each shows the last of its progress. */
  list(whose: Whose, query: JobQuery): Promise<string>
  /** Cancels a job. Errors: `job_not_found`. */
  cancel(whose: Whose, jobId: string, reason?: string): Promise<CancelResult>
  /** Cancels what an app of a user has under way: it was uninstalled. */
  cancelAll(userId: string, appId: string, reason: string): Promise<void>
  /** The same for the user's page. */
  readonly ofUser: UserJobs
  /** Looks after the jobs of a runner that was revoked: they fail. Never rejects. */
  reconcile(userId: string, runnerId: string): Promise<void>
  /** Ends what is due or lost; the sweeper calls it. */
  sweep(): Promise<void>
  /** Forgets what ended long ago; the sweeper calls it. */
  forget(): Promise<void>
  /** Ends what runs here and leaves what waits to other hosts. Twice is harmless. */
  close(): Promise<void>
}
