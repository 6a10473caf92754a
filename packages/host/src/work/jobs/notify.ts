import { job } from '@svc/contract/states'
import { openWindowsUnder } from '../../catalog/window-row.ts'
import type { WorkServices } from '../services.ts'
import type { JobRow } from './job-row.ts'

/** What an event says of a job: which one, and its state. */
export type JobNotice = Pick<JobRow, 'user_id' | 'app_id' | 'tool_id' | 'state'>

type NotifyServices = Pick<WorkServices, 'clock' | 'limits' | 'store' | 'events' | 'log'>

/** Who is notified of a job: the user's open windows of its app, and once without a window the user's page. */
export type Audience = readonly (string | null)[]

const PAGE_ALONE: Audience = [null]

/** Finds out who is notified of a job. Never throws: who misses an event reads the job. */
export function audienceOf(
  services: NotifyServices,
  { user_id, app_id }: Pick<JobNotice, 'user_id' | 'app_id'>,
): Promise<Audience> {
  return openWindowsUnder(services, 'openByView', [user_id, app_id]).then(
    (open) => (open.length === 0 ? PAGE_ALONE : [...open.map(({ id }) => id), null]),
    (err: unknown) => {
      services.log.warn({ err, app: app_id }, 'windows were not notified of a job')
      return [null]
    },
  )
}

/** Sends a `tool_job` event for each of `seqs`. */
export function notifyAudience(
  { events }: Pick<WorkServices, 'events'>,
  audience: Audience,
  jobId: string,
  { user_id, tool_id, state }: JobNotice,
  event: string,
  seqs: readonly number[],
): void {
  const terminal = job.terminal.has(state)
  for (const seq of seqs)
    events.emitEach(user_id, 'tool_job', audience, { job_id: jobId, tool_id, state, seq, event, terminal })
}

/** Notifies of the new state of a job. */
export function notifyState(
  services: NotifyServices,
  jobId: string,
  told: JobNotice,
  seq: number,
): Promise<void> {
  return audienceOf(services, told).then((audience) =>
    notifyAudience(services, audience, jobId, told, told.state, [seq]),
  )
}
