import { each } from '@svc/state'
import { withoutThrowing } from '../engine/best-effort.ts'
import { expire, finish } from './finish.ts'
import { jobs } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import { reconcileRunners, recoverJobs } from './reconcile.ts'

/** Ends what is past its deadline or lost its host or runner, and tries again what could not be written or begun. */
export async function sweepJobs(parts: JobParts): Promise<void> {
  const { activeJobs, unwritten } = parts
  for (const [jobId, ending] of unwritten)
    await withoutThrowing(parts, 'job', jobId, async () => {
      await finish(parts, jobId, ending)
      unwritten.delete(jobId)
      activeJobs.release(jobId, ending.reason)
    })
  await expireDue(parts)
  await recoverJobs(parts)
  await reconcileRunners(parts)
  activeJobs.pump()
}

async function expireDue(parts: JobParts): Promise<void> {
  const to = parts.clock.now()
  for await (const record of each(parts.store, jobs, 'dueAt', { to }))
    await withoutThrowing(parts, 'job', record.id, () => expire(parts, record))
}
