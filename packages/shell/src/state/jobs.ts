import type { RouteAnswer } from '@svc/contract/route-client'
import { newsBetween } from './gather-news.ts'
import { isActive, type Job, jobName, jobStates } from './job.ts'
import type { App } from './state.ts'

/** What the page knows of the user's jobs. */
export interface JobsState {
  /** The active ones first, each part with the newest first. */
  readonly list: readonly Job[]
  /** There were more than the host tells at once. */
  readonly truncated: boolean
  /** How far the host's clock is ahead of ours, in ms. */
  readonly skew: number
}

/** A list of jobs as the host returns it; `truncated`: there was one more. */
export type JobsPage = RouteAnswer<'GET /api/v1/svc-apps/jobs'>

/** Nothing is known of any job. */
export const noJobs: JobsState = { list: [], truncated: false, skew: 0 }

/** How many jobs have not ended. */
export const activeCount = ({ list } = noJobs): number => list.filter(isActive).length

/** Progress that is remembered of a job: the host tells only the last of it. */
const PROGRESS_SEEN = 20

/** Whether a job that was active is so no more: only the list of ended ones says how it is. */
export function someEnded({ list }: JobsState, { jobs }: JobsPage): boolean {
  const active = new Set(jobs.map(({ jobId }) => jobId))
  return list.some((job) => isActive(job) && !active.has(job.jobId))
}

/**
 * Replaces what was known with what the host returned: a job that it does not know any more goes. The ended ones may
 * have been left unasked (`null`): they do not change. A job or session that is listed as active and as ended has
 * ended.
 */
export function takeJobs(before: JobsState, active: JobsPage, ended: JobsPage | null, skew = 0): JobsState {
  const known = new Map(before.list.map((job) => [job.jobId, job]))
  const past = ended?.jobs ?? before.list.filter((job) => !isActive(job))
  const told = new Map([...active.jobs, ...past].map((job) => [job.jobId, job]))
  const list = [...told.values()].map((job) => withEarlier(known.get(job.jobId), job)).sort(inOrder)
  return { list, truncated: ended?.truncated ?? before.truncated, skew }
}

/** An active job with the progress that the host does not tell again. */
function withEarlier(old: Job | undefined, job: Job): Job {
  if (!old || !isActive(job)) return job
  const [first] = job.progress
  const earlier = first ? old.progress.filter(({ seq }) => seq < first.seq) : old.progress
  return { ...job, progress: [...earlier, ...job.progress].slice(-PROGRESS_SEEN) }
}

function inOrder(a: Job, b: Job): number {
  return (
    Number(isActive(b)) - Number(isActive(a)) ||
    Date.parse(b.createdAt) - Date.parse(a.createdAt) ||
    (a.jobId < b.jobId ? 1 : -1)
  )
}

/**
 * What a screen reader should announce of a change: the states that jobs came into. Progress is no news, and neither is
 * a job behind the end of a list that was cut, where it may be as an ended one.
 */
export const jobNews = (before: JobsState, after: JobsState, apps: readonly App[]) =>
  newsBetween(before.list, after.list, ({ jobId }) => jobId, {
    of: (job, old) =>
      old?.state === job.state ? null : `${jobName(job, apps)} ${jobStates[job.state].said}`,
    gone: (job) =>
      isActive(job) && !after.truncated ? `${jobName(job, apps)} is no longer known to the host` : null,
  })
