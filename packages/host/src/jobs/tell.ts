import { job } from '@svc/contract/states'
import type { House } from '../house.ts'
import { openWindowsUnder } from '../windows/parts.ts'
import type { JobRow } from './job-row.ts'

/** What an event tells of a job: which one, and where it stands. */
export type Told = Pick<JobRow, 'user_id' | 'app_id' | 'tool_id' | 'state'>

/**
 * Sends `tool_job` events to the user's open windows of the job's app, and one without a window to the page
 * (decision 12, design §7): `event` for each of `seqs`. Never throws: who misses an event reads the job.
 */
export async function tellJob(
  house: Pick<House, 'clock' | 'limits' | 'store' | 'events' | 'log'>,
  jobId: string,
  { user_id, app_id, tool_id, state }: Told,
  event: string,
  seqs: readonly number[],
): Promise<void> {
  const terminal = job.terminal.has(state)
  const windows = await openWindowsUnder(house, 'openByView', [user_id, app_id]).catch((err: unknown) => {
    house.log.warn({ err, job: jobId }, 'windows were not told of a job')
    return []
  })
  for (const seq of seqs)
    for (const windowUuid of [...windows.map(({ id }) => id), null])
      house.events.emit(user_id, 'tool_job', windowUuid, {
        job_id: jobId,
        tool_id,
        state,
        seq,
        event,
        terminal,
      })
}
