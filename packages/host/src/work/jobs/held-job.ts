import type { JobProgress } from '@svc/runner'
import { isSameOwner } from '../../kernel/hosts.ts'
import type { RunnerLink } from '../../machines/runners.ts'
import { openJournalWriter } from '../engine/journal-writer.ts'
import type { Ending } from './ending.ts'
import { isActive, type JobRecord, type JobRow, jobs } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import { type Life, lifeJournal, lifeText, progressJournal } from './journals.ts'
import { audienceOf, notifyAudience } from './notify.ts'

/**
 * Opens a job that this host runs, or that waits here for a slot. `release` of the list of active jobs is called when
 * the job belongs to another host by now.
 */
export function openHeldJob(
  parts: JobParts,
  jobId: string,
  named: Pick<JobRow, 'user_id' | 'app_id' | 'tool_id' | 'runner_id' | 'created_at' | 'owner'>,
) {
  const { bus, clock, limits, log, store, activeJobs } = parts
  const { owner } = named
  /** The link that it runs on. */
  let link: RunnerLink | null = null
  /** Whether the job was released. */
  let isOver = false
  let running: { abort: AbortController; end: (ending: Ending) => void } | null = null
  const journal = openJournalWriter(bus.journal, progressJournal(jobId))
  /** How many items of the journal the user's pages were notified of. */
  let told = 0
  let dropped = 0
  let heartbeatAt: number | null = null
  let tail: Promise<unknown> = Promise.resolve()
  let waiting: string[] = []
  /** Signs of life written so far, and whether there are new ones. */
  let lifeSeq = 0
  let news = false
  let beats = false
  let planned = false

  /** Does `work` after everything that was begun before it: rows, journals and events of one job go in order. */
  const turn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = tail.then(work)
    tail = done.catch(() => {})
    return done
  }
  /** Whether the row still says that the job is under way here. */
  async function isMine(): Promise<boolean> {
    const row = (await store.get(jobs, jobId))?.row
    if (row && isActive(row) && isSameOwner(row.owner, owner)) return true
    activeJobs.release(jobId, 'it is not run here any more')
    return false
  }

  /** Notifies pages of what is written by now, also by an append that failed half way. */
  function notifyWritten(audience: Awaited<ReturnType<typeof audienceOf>>): void {
    const count = journal.written - told
    told = journal.written
    if (count === 0) return
    const seqs = Array.from({ length: count }, (_, at) => journal.tail - count + 1 + at)
    notifyAudience(parts, audience, jobId, { ...named, state: 'running' }, 'progress', seqs)
  }

  async function writeProgress(items: readonly string[]): Promise<void> {
    // Asked before the write: once progress is in the journal, pages are notified at once, before the end of the job.
    const audience = await audienceOf(parts, named)
    // While as much waits as is kept, what comes is dropped.
    const taken = journal.unanswered < limits.PROGRESS_KEPT ? items : []
    if (taken.length < items.length) drop(items.length)
    const waited = journal.unanswered
    // Where somebody else wrote last, a host has ended the job, or the journal was lost.
    let isOurs = true
    try {
      isOurs = await journal.put(taken, isMine)
    } finally {
      if (isOurs) notifyWritten(audience)
      // What waited counts as dropped no more.
      if (journal.unanswered < waited) drop(0)
    }
    if (!isOurs) return
    await bus.journal
      .trim(progressJournal(jobId), { keep: limits.PROGRESS_KEPT })
      .catch((err: unknown) => log.warn({ err, job: jobId }, 'a journal could not be trimmed'))
  }

  async function writeLife(): Promise<void> {
    const name = lifeJournal(jobId)
    const written = await bus.journal.append(name, lifeSeq + 1, [lifeText(life)])
    lifeSeq = written.ok ? written.tail : written.refused
    if (lifeSeq > 1) await bus.journal.trim(name, { keep: 1 })
  }

  async function write(): Promise<void> {
    planned = false
    if (isOver) return
    const items = waiting
    waiting = []
    const [hasNews, hasBeat] = [news, beats]
    news = false
    beats = false
    try {
      if (items.length > 0 || journal.unanswered > 0) await writeProgress(items)
    } catch (err) {
      log.warn(
        { err, job: jobId, count: journal.unanswered },
        'progress could not be written and is tried again',
      )
    }
    try {
      if (hasNews) await writeLife()
      if (hasBeat) await isMine()
    } catch (err) {
      log.warn({ err, job: jobId }, 'a heartbeat of a job could not be written')
    }
  }
  const plan = () => {
    if (planned || isOver) return
    planned = true
    void turn(write)
  }

  const lives = () => {
    heartbeatAt = clock.now()
    news = true
    plan()
  }

  function drop(count: number): void {
    dropped += count
    news = true
    plan()
  }

  const life: Life = {
    get last_seq() {
      return journal.tail
    },
    // What nobody can read yet counts as dropped until it is written.
    get dropped() {
      return dropped + journal.unanswered
    },
    get heartbeat_at() {
      return heartbeatAt
    },
  }
  return {
    id: jobId,
    userId: named.user_id,
    runnerId: named.runner_id,
    /** Unix ms; what came first has the first place. */
    createdAt: named.created_at,
    owner,
    get link(): RunnerLink | null {
      return link
    },
    get isOver(): boolean {
      return isOver
    },
    /** The record as this host last wrote it, so that its next write needs no reading; `null`: it has to be read. */
    record: null as JobRecord | null,
    /** Progress, dropped progress and signs of life so far. */
    life,
    turn,
    /**
     * Does what runs on a link, which never rejects. The signal aborts if the job is released meanwhile, and its reason
     * is sent to the process.
     */
    async run(on: RunnerLink, work: (signal: AbortSignal) => Promise<Ending>): Promise<Ending> {
      const abort = new AbortController()
      link = on
      try {
        return await new Promise<Ending>((end) => {
          running = { abort, end }
          void work(abort.signal).then(end)
        })
      } finally {
        link = null
        running = null
      }
    },
    /** What runs has ended so, for its link is lost: answers of that link are ignored. */
    lose(ending: Ending): void {
      running?.end(ending)
      running?.abort.abort(ending.reason)
    },
    /** Its process is there: its first sign of life. */
    started: lives,
    progress({ type, json }: JobProgress): void {
      if (isOver) return
      waiting.push(`{"type":${JSON.stringify(type)},"data":${json}}`)
      plan()
    },
    dropped: drop,
    heartbeat(): void {
      beats = true
      lives()
    },
    /** Ends it here: no progress is taken any more, and what runs is aborted. Twice is harmless. */
    release(reason: string): void {
      isOver = true
      running?.abort.abort(reason)
    },
  }
}

export type HeldJob = ReturnType<typeof openHeldJob>
