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

/** A list of jobs as the host tells it. */
export interface JobsPage {
  readonly jobs: readonly Job[]
  /** There was one more. */
  readonly truncated: boolean
}

/** What the host told at one time; the ended ones may have been left unasked: they do not change. */
export interface JobsTold {
  readonly active: JobsPage
  readonly ended: JobsPage | null
}

/** Nothing is known of any job. */
export const noJobs: JobsState = { list: [], truncated: false, skew: 0 }

/** How many jobs have not ended. */
export const activeCount = ({ list } = noJobs): number => list.filter(isActive).length

/** Progress that is remembered of a job: the host tells only the last of it. */
const PROGRESS_SEEN = 20

/** Whether a job that was active is so no more: only the list of ended ones says how it is. */
export function hasLeft({ list }: JobsState, { jobs }: JobsPage): boolean {
  const active = new Set(jobs.map(({ jobId }) => jobId))
  return list.some((job) => isActive(job) && !active.has(job.jobId))
}

/**
 * Puts what the host told in the place of what was known: a job that it does not know any more goes. Who is told as
 * active and then as ended has ended.
 */
export function takeJobs(before: JobsState, { active, ended }: JobsTold, skew = 0): JobsState {
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
 * What somebody who cannot see the list should hear of a change, by the id of the job: the states that jobs came
 * into. Progress is no news.
 */
export function jobNews(
  before: JobsState,
  after: JobsState,
  apps: readonly App[],
): ReadonlyMap<string, string> {
  const news = new Map<string, string>()
  const known = new Map(before.list.map((job) => [job.jobId, job]))
  for (const job of after.list) {
    if (known.get(job.jobId)?.state !== job.state)
      news.set(job.jobId, `${jobName(job, apps)} ${jobStates[job.state].said}`)
    known.delete(job.jobId)
  }
  // Behind the end of a list that was cut it may stand as an ended one.
  for (const job of known.values())
    if (isActive(job) && !after.truncated)
      news.set(job.jobId, `${jobName(job, apps)} is no longer known to the host`)
  return news
}
