import { idKinds, refuse } from '@svc/contract'
import { isOwn, type WorkOwner } from '../engine/work-owner.ts'
import { type JobRecord, jobs } from './job-row.ts'
import type { JobServices } from './jobs.ts'

/** The refusal for a job that never was, is forgotten, or belongs to somebody else: they look the same. */
export const noSuchJob = () => refuse('job_not_found')

/** A job of this caller, as it was last written. Errors: `job_not_found`. */
export async function ownJob({ store }: JobServices, owner: WorkOwner, jobId: string): Promise<JobRecord> {
  const record = idKinds.job.pattern.test(jobId) ? await store.get(jobs, jobId) : null
  if (!record || !isOwn(record.row, owner)) throw noSuchJob()
  return record
}

/** The jobs of a user, at one runner or at all, that have not ended: no more than the quota lets in. */
export async function activeOf(
  { limits, store }: JobServices,
  userId: string,
  ...atRunner: readonly string[]
): Promise<readonly JobRecord[]> {
  const limit = limits.JOBS_ACTIVE_PER_USER + 1
  return (await store.scan(jobs, 'activeByUser', { eq: [userId, ...atRunner], limit })).rows
}
