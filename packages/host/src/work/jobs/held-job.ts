import type { JobProgress } from '@svc/runner'
import type { Owner } from '../../kernel/hosts.ts'
import type { RunnerLink } from '../../machines/runners.ts'
import type { Ending } from './ending.ts'
import { type JobNews, openJobNews } from './job-news.ts'
import type { JobRecord, JobRow } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import type { Life } from './journals.ts'

type Named = Pick<JobRow, 'user_id' | 'app_id' | 'tool_id' | 'runner_id' | 'created_at' | 'owner'>

const ignore = () => {}

/**
 * A job that this host runs, or that waits here for a slot. `release` of the list of active jobs is called when the job
 * belongs to another host by now. A class, because a host has one for each job: its methods and getters are made once.
 */
export class HeldJob {
  readonly id: string
  readonly userId: string
  readonly runnerId: string
  /** Unix ms; what came first has the first place. */
  readonly createdAt: number
  readonly owner: Owner
  /** The record as this host last wrote it, so that its next write needs no reading; `null`: it has to be read. */
  record: JobRecord | null = null
  readonly #parts: JobParts
  readonly #named: Named
  #link: RunnerLink | null = null
  #isOver = false
  #running: { abort: AbortController; end: (ending: Ending) => void } | null = null
  #startedAt: number | null = null
  /** Opened with the first of them: many a job tells nothing and is over within a turn. */
  #news: JobNews | null = null
  #tail: Promise<unknown> = Promise.resolve()

  constructor(parts: JobParts, jobId: string, named: Named) {
    this.id = jobId
    this.userId = named.user_id
    this.runnerId = named.runner_id
    this.createdAt = named.created_at
    this.owner = named.owner
    this.#parts = parts
    this.#named = named
  }

  /** The link that it runs on. */
  get link(): RunnerLink | null {
    return this.#link
  }

  /** Whether the job was released. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Progress, dropped progress and signs of life so far. */
  get life(): Life {
    return this.#news?.life() ?? { last_seq: 0, dropped: 0, heartbeat_at: this.#startedAt }
  }

  /** Does `work` after everything that was begun before it: rows, journals and events of one job go in order. */
  turn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work)
    this.#tail = done.catch(ignore)
    return done
  }

  /**
   * Does what runs on a link, which never rejects. The signal aborts if the job is released meanwhile, and its reason
   * is sent to the process.
   */
  run(link: RunnerLink, work: (signal: AbortSignal) => Promise<Ending>): Promise<Ending> {
    return new Promise((resolve) => {
      const abort = new AbortController()
      const end = (ending: Ending) => {
        this.#link = null
        this.#running = null
        resolve(ending)
      }
      this.#link = link
      this.#running = { abort, end }
      void work(abort.signal).then(end)
    })
  }

  /** What runs has ended so, for its link is lost: answers of that link are ignored. */
  lose(ending: Ending): void {
    const lost = this.#running
    lost?.end(ending)
    lost?.abort.abort(ending.reason)
  }

  /** Its process is there: its first sign of life. */
  started(): void {
    const now = this.#parts.clock.now()
    this.#startedAt = now
    // Behind all that can go on now: a job that is over by then needs no journal of its life, its row has it.
    process.nextTick(() => {
      if (!this.#isOver) this.#newsOf().lives(now)
    })
  }

  progress(progress: JobProgress): void {
    if (!this.#isOver) this.#newsOf().progress(progress)
  }

  dropped(count: number): void {
    this.#newsOf().dropped(count)
  }

  heartbeat(): void {
    this.#newsOf().heartbeat(this.#parts.clock.now())
  }

  /** Ends it here: no progress is taken any more, and what runs is aborted. Twice is harmless. */
  release(reason: string): void {
    this.#isOver = true
    this.#running?.abort.abort(reason)
  }

  #newsOf(): JobNews {
    this.#news ??= openJobNews(this.#parts, this, this.#named, this.#startedAt)
    return this.#news
  }
}
