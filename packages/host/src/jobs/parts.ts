import { idKinds, refuse } from '@svc/contract'
import type { House } from '../house.ts'
import type { Ending } from './ending.ts'
import { type JobRecord, jobs } from './job-row.ts'
import type { Roster } from './roster.ts'

/** What jobs need of the house. */
export type JobHouse = Pick<
  House,
  | 'clock'
  | 'newId'
  | 'limits'
  | 'log'
  | 'metrics'
  | 'store'
  | 'bus'
  | 'events'
  | 'plugins'
  | 'runner'
  | 'hosts'
>

/** The house of jobs, with the jobs that this host holds. */
export interface JobParts extends JobHouse {
  readonly roster: Roster
  /** How jobs are to end whose end could not be written, by job id; the sweeper tries again. */
  readonly unwritten: Map<string, Ending>
}

/** Whose jobs: those of a user in one app, or over all apps, which is for the user's page alone (decision 15). */
export interface Whose {
  readonly userId: string
  readonly appId?: string
}

/** The refusal for a job that never was, is forgotten, or belongs to somebody else: they look the same. */
export const noSuchJob = () => refuse('job_not_found')

/** A job of this caller, as it was last written. Errors: `job_not_found`. */
export async function ownJob({ store }: JobHouse, whose: Whose, jobId: string): Promise<JobRecord> {
  const record = idKinds.job.pattern.test(jobId) ? await store.get(jobs, jobId) : null
  if (record?.row.user_id !== whose.userId) throw noSuchJob()
  if (whose.appId !== undefined && record.row.app_id !== whose.appId) throw noSuchJob()
  return record
}
