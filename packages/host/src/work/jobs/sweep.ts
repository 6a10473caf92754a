import { each } from '@svc/state'
import { expire, finish } from './finish.ts'
import { jobs } from './job-row.ts'
import { sweepLost } from './lost.ts'
import { alone, type JobParts } from './parts.ts'
import { tendRunners } from './tend.ts'

/** Ends what is past its deadline or lost its host or runner, and tries again what could not be written or begun. */
export async function sweepJobs(parts: JobParts): Promise<void> {
  const { roster, unwritten } = parts
  for (const [jobId, ending] of unwritten)
    await alone(parts, jobId, async () => {
      await finish(parts, jobId, ending)
      unwritten.delete(jobId)
      roster.letGo(jobId, ending.reason)
    })
  await expireDue(parts)
  await sweepLost(parts)
  await tendRunners(parts)
  roster.pump()
}

async function expireDue(parts: JobParts): Promise<void> {
  const to = parts.clock.now()
  for await (const record of each(parts.store, jobs, 'dueAt', { to }))
    await alone(parts, record.id, () => expire(parts, record))
}
