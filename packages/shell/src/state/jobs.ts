import { isActive, type Job, jobName, jobStates } from './job.ts'
import type { App } from './state.ts'

/** What the page knows of the user's jobs. */
export interface JobsState {
  /** The active ones first, each part with the newest first. */
  readonly list: readonly Job[]
  /** There were more than the host tells at once. */
  readonly truncated: boolean
  /** When the host told the list, in Unix ms of its own clock; `null`: not yet. */
  readonly readAt: number | null
  /** The time that the list is shown for, in Unix ms of the host's clock. */
  readonly shownAt: number
  /** Why the host does not tell them now: the list is how it was, and may be wrong by now. */
  readonly problem: string | null
  /** The ids of those that the host was asked to cancel and has not answered for. */
  readonly cancelling: readonly string[]
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
export const noJobs: JobsState = {
  list: [],
  truncated: false,
  readAt: null,
  shownAt: 0,
  problem: null,
  cancelling: [],
}

/** How many jobs have not ended. */
export const activeCount = ({ list }: JobsState): number => list.filter(isActive).length

/** Progress that is remembered of a job: the host tells only the last of it. */
const PROGRESS_SEEN = 20

/** Whether a job that was active is so no more: only the list of ended ones says how it is. */
export function hasLeft({ list }: JobsState, { jobs }: JobsPage): boolean {
  const active = new Set(jobs.map(({ jobId }) => jobId))
  return list.some((job) => isActive(job) && !active.has(job.jobId))
}

/**
 * Puts what the host told in the place of what was known: a job that it does not know any more goes. One that has
 * not changed stays the same object, so that nobody draws it again. Who is told as active and then as ended has ended.
 */
export function takeJobs(before: JobsState, { active, ended }: JobsTold, at: number): JobsState {
  const known = new Map(before.list.map((job) => [job.jobId, job]))
  const past = ended?.jobs ?? before.list.filter((job) => !isActive(job))
  const told = new Map([...active.jobs, ...past].map((job) => [job.jobId, job]))
  const list = [...told.values()].map((job) => merged(known.get(job.jobId), job)).sort(inOrder)
  const truncated = ended?.truncated ?? before.truncated
  return { ...before, list, truncated, readAt: at, shownAt: at, problem: null }
}

function merged(old: Job | undefined, job: Job): Job {
  if (!old || !isActive(job)) return old && isSame(old, job) ? old : job
  if (isSame(old, job)) return old
  const [first] = job.progress
  const earlier = first ? old.progress.filter(({ seq }) => seq < first.seq) : old.progress
  return { ...job, progress: [...earlier, ...job.progress].slice(-PROGRESS_SEEN) }
}

const isSame = (a: Job, b: Job): boolean =>
  a.state === b.state &&
  a.lastSeq === b.lastSeq &&
  a.progressDropped === b.progressDropped &&
  a.lastHeartbeatAt === b.lastHeartbeatAt

function inOrder(a: Job, b: Job): number {
  return (
    Number(isActive(b)) - Number(isActive(a)) ||
    Date.parse(b.createdAt) - Date.parse(a.createdAt) ||
    (a.jobId < b.jobId ? 1 : -1)
  )
}

/**
 * What somebody who cannot see the list should hear of a change, by the id of the job: the states that jobs came
 * into. Progress is no news, and neither is the first list of all.
 */
export function jobNews(
  before: JobsState,
  after: JobsState,
  apps: readonly App[],
): ReadonlyMap<string, string> {
  const news = new Map<string, string>()
  if (before.readAt === null) return news
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
