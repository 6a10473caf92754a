import { retentionOf } from '../engine/retention.ts'
import { type JobRecord, jobs } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import { dropJournals } from './journals.ts'

/** How many ended jobs are kept. */
export const retention = retentionOf({
  collection: jobs,
  byApp: 'endedByApp',
  byUser: 'endedByUser',
  max: ({ JOBS_KEPT_PER_APP, JOBS_KEPT_PER_USER }) => ({ app: JOBS_KEPT_PER_APP, user: JOBS_KEPT_PER_USER }),
  forget: forgetJob,
})

/** Forgets a job with its journals. A bus that is away keeps no job in the store, and no other from its end. */
export async function forgetJob(
  { bus, log, store }: Pick<JobParts, 'bus' | 'log' | 'store'>,
  { id, revision }: JobRecord,
): Promise<void> {
  await dropJournals(bus.journal, id).catch((err: unknown) => {
    log.warn({ err, job: id }, 'the progress of a deleted job was not deleted')
  })
  await store.remove(jobs, id, revision)
}
