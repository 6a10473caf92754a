import { job } from '@svc/contract/states'
import type { Store } from '@svc/state'
import { type NextWrites, openWatched } from '@svc/state/testing'
import { type JobRow, jobs } from '../work/jobs/job-row.ts'

/** A store that loses or breaks writes of jobs when told to, and notes what the others may not know. */
export interface WatchedStore {
  readonly store: Store
  readonly next: NextWrites
  /** How each job was ended, each time that it was. */
  readonly ended: Map<string, JobRow['state'][]>
  /** The most active jobs that a user ever had. */
  mostActive(): number
}

/** Makes one over memory. */
export function openWatchedStore(): WatchedStore {
  const ended = new Map<string, JobRow['state'][]>()
  let mostActive = 0
  const watched = openWatched(jobs, async ({ id, row, under }) => {
    if (job.terminal.has(row.state)) ended.set(id, [...(ended.get(id) ?? []), row.state])
    const { rows } = await under.scan(jobs, 'activeByUser', { eq: [row.user_id], limit: 1_000 })
    mostActive = Math.max(mostActive, rows.length)
  })
  return { ...watched, ended, mostActive: () => mostActive }
}
