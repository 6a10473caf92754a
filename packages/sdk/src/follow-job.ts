import {
  activeJobStates,
  JOB_DEADLINE_MAX_MS,
  JOB_POLL_MAX_MS,
  JOB_POLL_MS,
  JOB_READ_GAP_MS,
} from '@svc/contract/browser'
import type { Client, JobProgress, JobSnapshot, WindowEvent } from '@svc/contract/client'
import { createAlarm } from './alarm.ts'
import type { Clock } from './clock.ts'
import { isRetryable, ownError } from './errors.ts'
import type { EventHub } from './events.ts'

/** One progress message of a job; `Data` is what the plugin sends with it. */
export interface Progress<Data = unknown> extends JobProgress {
  /** What the plugin sent with it. */
  readonly data: Data
  /** How many before this one are lost: the host keeps the latest 500 of a job. */
  readonly missed: number
}

/** What the client of jobs works with. */
export interface JobParts {
  readonly rpc: Pick<Client, 'tools'>
  readonly tap: EventHub['tap']
  readonly clock: Clock
  /** Aborts when the document goes away for good. */
  readonly ended: AbortSignal
}

/** Which job is followed, and from where. */
export interface FollowOrder {
  /** Names the job; called when its events are listened to already. */
  readonly start: () => Promise<string>
  /** When the job is read first after that, in ms; an event of it comes before. */
  readonly firstMs: number
  /** The progress that is known; `NO_PROGRESS` where none is wanted. */
  readonly sinceSeq: number
}

/** As `sinceSeq`: past the end of any job. */
export const NO_PROGRESS = Number.MAX_SAFE_INTEGER

/** What is new of a job: some progress, its end, or both. */
export interface News {
  readonly progress: readonly Progress[]
  /** The job as it ended; only when all of its progress was delivered. */
  readonly end: JobSnapshot | undefined
}

/** A job that is followed. */
export interface Follow {
  /** Settles when the job has a name. */
  readonly started: Promise<string>
  readonly jobId: string | undefined
  /**
   * Waits for news; `undefined` after `close()`. One call at a time.
   *
   * @throws what `close` was given, what `start` rejected with, or why the job cannot be read.
   */
  next(): Promise<News | undefined>
  /** Stops following and removes listeners and timers; closing twice is harmless. */
  close(error?: unknown): void
}

/**
 * Follows a job. Events only say that there is something to read, so a lost or repeated one
 * does no harm: the job is read after each event that tells news, after a reset, and 1 s to 5 s after the
 * reading before. What comes before the job has a name is remembered by its id.
 *
 * A reading that fails for a moment is repeated as long as the job can live.
 */
export function followJob(
  { rpc, tap, clock, ended }: JobParts,
  { start, firstMs, sinceSeq }: FollowOrder,
): Follow {
  const over = new AbortController()
  const alarm = createAlarm(clock)
  const early = new Set<string>()
  let jobId: string | undefined
  let failure: unknown
  let since = sinceSeq
  let pollMs = JOB_POLL_MS
  let readAt = 0
  let livesUntil = 0

  function onEvent(type: string, payload: unknown): void {
    if (type === 'reset' && jobId !== undefined) alarm.set(clock.now())
    if (type !== 'tool_job') return
    const { job_id, seq, terminal } = payload as WindowEvent<'tool_job'>
    if (!terminal && seq <= since) return
    if (jobId === undefined) early.add(job_id)
    else if (jobId === job_id) alarm.set(terminal ? clock.now() : readAt + JOB_READ_GAP_MS)
  }

  function close(error?: unknown): void {
    if (over.signal.aborted) return
    failure = error
    stop()
    ended.removeEventListener('abort', leave)
    over.abort()
    alarm.end()
  }

  const leave = () => close(ownError('bridge_reset', 'the document went away; the job goes on without it'))

  async function read(): Promise<JobSnapshot | undefined> {
    readAt = clock.now()
    try {
      const job = await rpc.tools.getJob({ jobId: jobId as string, sinceSeq: since }, { signal: over.signal })
      // Both times are the host's, so that its clock and ours may differ.
      livesUntil = Math.min(livesUntil, clock.now() + job.deadlineMs - Date.parse(job.createdAt))
      return job
    } catch (error) {
      if (over.signal.aborted || (isRetryable(error) && clock.now() < livesUntil)) return undefined
      throw error
    } finally {
      alarm.set(clock.now() + pollMs)
      pollMs = Math.min(pollMs * 2, JOB_POLL_MAX_MS)
    }
  }

  /** The progress that was not told yet, in its order. */
  function newProgress(items: readonly JobProgress[]): Progress[] {
    return items.flatMap((item) => {
      const missed = item.seq - since - 1
      if (missed < 0) return []
      since = item.seq
      return { ...item, missed }
    })
  }

  const stop = tap(onEvent)
  ended.addEventListener('abort', leave)
  const started = start()
  if (ended.aborted) leave()
  started.then((id) => {
    jobId = id
    livesUntil = clock.now() + JOB_DEADLINE_MAX_MS
    alarm.set(clock.now() + (early.has(id) ? 0 : firstMs))
  }, close)

  return {
    started,
    get jobId() {
      return jobId
    },
    async next() {
      for (;;) {
        await alarm.wait()
        const job = over.signal.aborted ? undefined : await read()
        if (over.signal.aborted) {
          if (failure !== undefined) throw failure
          return undefined
        }
        if (!job) continue
        const progress = newProgress(job.progress)
        const more = progress.length > 0 && since < job.lastSeq
        if (more) alarm.set(clock.now())
        const end = more || activeJobStates.has(job.state) ? undefined : job
        if (progress.length > 0 || end) return { progress, end }
      }
    },
    close,
  }
}
