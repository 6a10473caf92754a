import type { Limits } from '@svc/contract'
import { each } from '@svc/state'
import { type JobRecord, type JobRow, jobs } from './job-row.ts'
import { dropJournals } from './journals.ts'
import type { JobParts } from './parts.ts'

/**
 * How many ended jobs are kept: the caps of the write that ends one, so that no app pushes out the results of another
 * or fills the store. The job that ends is kept in any case.
 */
export const retentionCaps = (
  { JOBS_KEPT_PER_APP, JOBS_KEPT_PER_USER }: Pick<Limits, 'JOBS_KEPT_PER_APP' | 'JOBS_KEPT_PER_USER'>,
  { user_id, app_id }: Pick<JobRow, 'user_id' | 'app_id'>,
) =>
  [
    {
      name: 'endedByApp',
      index: 'endedByApp',
      eq: [user_id, app_id],
      max: Math.max(1, JOBS_KEPT_PER_APP),
    },
    { name: 'endedByUser', index: 'endedByUser', eq: [user_id], max: Math.max(1, JOBS_KEPT_PER_USER) },
  ] as const

/** Makes room under the cap of that name, which is full: the job that ended first goes. */
export async function forgetOldest(parts: JobParts, row: JobRow, full: string): Promise<void> {
  for (const { name, index, eq } of retentionCaps(parts.limits, row)) {
    if (name !== full) continue
    const { rows } = await parts.store.scan(jobs, index, { eq, limit: 1 })
    for (const oldest of rows) await forgetJob(parts, oldest)
  }
}

/** Forgets jobs that ended `JOB_KEPT_MS` ago. */
export async function forgetJobs(parts: JobParts): Promise<void> {
  const { clock, limits, store } = parts
  const to = clock.now() - limits.JOB_KEPT_MS
  for await (const record of each(store, jobs, 'endedAt', { to, limit: limits.CLEAN_RECORDS_MAX }))
    await forgetJob(parts, record)
}

/** Forgets a job with its journals. A bus that is away keeps no job in the store, and no other from its end. */
export async function forgetJob(
  { bus, log, store }: Pick<JobParts, 'bus' | 'log' | 'store'>,
  { id, revision }: JobRecord,
): Promise<void> {
  await dropJournals(bus.journal, id).catch((err: unknown) => {
    log.warn({ err, job: id }, 'the progress of a forgotten job was left behind')
  })
  await store.remove(jobs, id, revision)
}
