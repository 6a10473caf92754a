import type { JobSnapshot, JobState } from '@svc/contract'
import { job as table } from '@svc/contract/states'
import type { App } from './state.ts'

/** A job as the host returns it to the page: its snapshot, and whose it is. */
export type Job = JobSnapshot & { readonly app_id: string }

/** How a state is spoken of. */
export interface StateRow {
  /** On its card. */
  readonly word: string
  /** What a screen reader announces of a job that came into it. */
  readonly said: string
  /** The colour: of what waits, runs, succeeded, failed, or was cancelled. */
  readonly tone: 'wait' | 'busy' | 'good' | 'bad' | 'still'
}

/** Every state of a job. */
export const jobStates: Readonly<Record<JobState, StateRow>> = {
  queued: { word: 'queued', said: 'waits in the queue', tone: 'wait' },
  running: { word: 'running', said: 'is running', tone: 'busy' },
  succeeded: { word: 'succeeded', said: 'succeeded', tone: 'good' },
  failed: { word: 'failed', said: 'failed', tone: 'bad' },
  cancelled: { word: 'cancelled', said: 'was cancelled', tone: 'still' },
  expired: { word: 'expired', said: 'ran past its deadline', tone: 'bad' },
}

/** Whether a job has not ended. */
export const isActive = ({ state }: Pick<Job, 'state'>): boolean => table.active.has(state)

/** The app of a job; one that is not installed any more is named by its id. */
export function appOf(job: Pick<Job, 'app_id'>, apps: readonly App[]): Pick<App, 'slug' | 'name'> {
  return apps.find(({ app_id }) => app_id === job.app_id) ?? { slug: job.app_id, name: job.app_id }
}

/** What a job is called in a sentence, so that two of one tool can be told apart: `describe of CSV lens (rides)`. */
export function jobName(job: Job, apps: readonly App[]): string {
  const tag = job.clientTag === null ? '' : ` (${job.clientTag})`
  return `${job.method} of ${appOf(job, apps).name}${tag}`
}
