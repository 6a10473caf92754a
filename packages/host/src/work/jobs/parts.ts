import { idKinds, refuse } from '@svc/contract'
import type { Owner } from '../../kernel/hosts/host-row.ts'
import type { WorkServices } from '../services.ts'
import type { ActiveJobs } from './active-jobs.ts'
import type { Ending } from './ending.ts'
import { type JobRecord, jobs } from './job-row.ts'
import type { Links } from './links.ts'

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
  /**
   * This host as the owner of jobs: from here on it hears of those that another host ends. Errors:
   * `agent_unavailable` once it closes.
   */
  me(): Promise<Owner>
  /** How jobs are to end whose end could not be written, by job id; the sweeper tries again. */
  readonly unwritten: Map<string, Ending>
}

/** Does what one job needs. What fails is logged and comes again with the next sweep: no job holds up another. */
export async function alone(
  { log }: JobServices,
  jobId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (err) {
    log.error({ err, job: jobId }, 'a job could not be looked after and is tried again')
  }
}

/** Whose jobs: those of a user in one app, or over all apps, which is for the user's page alone. */
export interface Whose {
  readonly userId: string
  readonly appId?: string
}

/** The refusal for a job that never was, is forgotten, or belongs to somebody else: they look the same. */
export const noSuchJob = () => refuse('job_not_found')

/** The refusal of a host that takes no more jobs. */
export const hostCloses = () => refuse('agent_unavailable', 'this host is closing')

/** A job of this caller, as it was last written. Errors: `job_not_found`. */
export async function ownJob({ store }: JobServices, whose: Whose, jobId: string): Promise<JobRecord> {
  const record = idKinds.job.pattern.test(jobId) ? await store.get(jobs, jobId) : null
  if (record?.row.user_id !== whose.userId) throw noSuchJob()
  if (whose.appId !== undefined && record.row.app_id !== whose.appId) throw noSuchJob()
  return record
}

/** The jobs of a user that have not ended: no more than the quota lets in. */
export async function activeOf(
  { limits, store }: JobServices,
  userId: string,
): Promise<readonly JobRecord[]> {
  const limit = limits.JOBS_ACTIVE_PER_USER + 1
  return (await store.scan(jobs, 'activeByUser', { eq: [userId], limit })).rows
}
