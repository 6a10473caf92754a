import { withoutThrowing } from '../engine/best-effort.ts'
import type { WorkOwner } from '../engine/work-owner.ts'
import { cancelled } from './ending.ts'
import { finish } from './finish.ts'
import type { JobRecord } from './job-row.ts'
import type { CancelResult, JobParts } from './jobs.ts'
import { activeOf, noSuchJob, ownJob } from './own-job.ts'

/** Cancels a job of this caller. Errors: `job_not_found`. */
export async function cancelJob(
  parts: JobParts,
  owner: WorkOwner,
  jobId: string,
  reason?: string,
): Promise<CancelResult> {
  await ownJob(parts, owner, jobId)
  const { won, record } = await finish(parts, jobId, cancelled(reason))
  if (!record) throw noSuchJob()
  const { state, user_id } = record.row
  if (won) await parts.events.told(user_id)
  return { jobId, state, cancelled: won && state === 'cancelled' }
}

/** Cancels what an app of a user has under way; what waits goes first, or the places of what runs would start it. */
export async function cancelAll(
  parts: JobParts,
  userId: string,
  appId: string,
  reason: string,
): Promise<void> {
  const own = (await activeOf(parts, userId)).filter(({ row }) => row.app_id === appId)
  const isWaiting = ({ row }: JobRecord) => row.started_at === null
  for (const { id } of [...own.filter(isWaiting), ...own.filter((one) => !isWaiting(one))])
    await withoutThrowing(parts, 'job', id, () => finish(parts, id, cancelled(reason)))
}
