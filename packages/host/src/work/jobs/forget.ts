import { each } from '@svc/state'
import { retentionOf } from '../engine/retention.ts'
import { type JobRecord, jobs } from './job-row.ts'
import { dropJournals } from './journals.ts'
import type { JobParts } from './parts.ts'

/** How many ended jobs are kept. */
export const retention = retentionOf({
  collection: jobs,
  byApp: 'endedByApp',
  byUser: 'endedByUser',
  max: ({ JOBS_KEPT_PER_APP, JOBS_KEPT_PER_USER }) => ({ app: JOBS_KEPT_PER_APP, user: JOBS_KEPT_PER_USER }),
  forget: forgetJob,
})

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
