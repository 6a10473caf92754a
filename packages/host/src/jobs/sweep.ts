import type { Page } from '@svc/state'
import { expire, finish } from './finish.ts'
import { type JobRow, jobs } from './job-row.ts'
import { sweepLost } from './lost.ts'
import { alone, type JobParts } from './parts.ts'
import { tendRunners } from './tend.ts'

/** Jobs that one scan takes up. */
const PAGE = 100

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
  for (let after: string | null = null; ; ) {
    const page: Page<JobRow> = await parts.store.scan(jobs, 'dueAt', { to, after, limit: PAGE })
    for (const record of page.rows) await alone(parts, record.id, () => expire(parts, record))
    if (page.next === null) return
    after = page.next
  }
}
