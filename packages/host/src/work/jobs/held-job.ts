import type { JobProgress } from '@svc/runner'
import type { RunnerLink } from '../../machines/runners.ts'
import type { Ending } from './ending.ts'
import { type JobNews, openJobNews } from './job-news.ts'
import type { JobRecord, JobRow } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import type { Life } from './journals.ts'

/**
 * Opens a job that this host runs, or that waits here for a slot. `release` of the list of active jobs is called when
 * the job belongs to another host by now.
 */
export function openHeldJob(
  parts: JobParts,
  jobId: string,
  named: Pick<JobRow, 'user_id' | 'app_id' | 'tool_id' | 'runner_id' | 'created_at' | 'owner'>,
) {
  const { clock } = parts
  /** The link that it runs on. */
  let link: RunnerLink | null = null
  /** Whether the job was released. */
  let isOver = false
  let running: { abort: AbortController; end: (ending: Ending) => void } | null = null
  let startedAt: number | null = null
  /** Opened with the first of them: many a job tells nothing and is over within a turn. */
  let news: JobNews | null = null
  let tail: Promise<unknown> = Promise.resolve()

  const newsOf = (): JobNews => {
    news ??= openJobNews(parts, held, named, startedAt)
    return news
  }
  const held = {
    id: jobId,
    userId: named.user_id,
    runnerId: named.runner_id,
    /** Unix ms; what came first has the first place. */
    createdAt: named.created_at,
    owner: named.owner,
    get link(): RunnerLink | null {
      return link
    },
    get isOver(): boolean {
      return isOver
    },
    /** The record as this host last wrote it, so that its next write needs no reading; `null`: it has to be read. */
    record: null as JobRecord | null,
    /** Progress, dropped progress and signs of life so far. */
    get life(): Life {
      return news?.life ?? { last_seq: 0, dropped: 0, heartbeat_at: startedAt }
    },
    /** Does `work` after everything that was begun before it: rows, journals and events of one job go in order. */
    turn<T>(work: () => Promise<T>): Promise<T> {
      const done = tail.then(work)
      tail = done.catch(() => {})
      return done
    },
    /**
     * Does what runs on a link, which never rejects. The signal aborts if the job is released meanwhile, and its reason
     * is sent to the process.
     */
    run: (on: RunnerLink, work: (signal: AbortSignal) => Promise<Ending>): Promise<Ending> =>
      new Promise((resolve) => {
        const abort = new AbortController()
        const end = (ending: Ending) => {
          link = null
          running = null
          resolve(ending)
        }
        link = on
        running = { abort, end }
        void work(abort.signal).then(end)
      }),
    /** What runs has ended so, for its link is lost: answers of that link are ignored. */
    lose(ending: Ending): void {
      const lost = running
      lost?.end(ending)
      lost?.abort.abort(ending.reason)
    },
    /** Its process is there: its first sign of life. */
    started(): void {
      const now = clock.now()
      startedAt = now
      // Behind all that can go on now: a job that is over by then needs no journal of its life, its row has it.
      process.nextTick(() => {
        if (!isOver) newsOf().lives(now)
      })
    },
    progress(progress: JobProgress): void {
      if (!isOver) newsOf().progress(progress)
    },
    dropped: (count: number): void => newsOf().dropped(count),
    heartbeat: (): void => newsOf().heartbeat(clock.now()),
    /** Ends it here: no progress is taken any more, and what runs is aborted. Twice is harmless. */
    release(reason: string): void {
      isOver = true
      running?.abort.abort(reason)
    },
  }
  return held
}

export type HeldJob = ReturnType<typeof openHeldJob>
