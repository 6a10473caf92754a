import type { JobProgress } from '@svc/runner'
import { isSameOwner } from '../../kernel/hosts.ts'
import { openJournalWriter } from '../engine/journal-writer.ts'
import { isActive, type JobRow, jobs } from './job-row.ts'
import type { JobParts } from './jobs.ts'
import { type Life, lifeJournal, lifeText, progressJournal } from './journals.ts'
import { audienceOf, notifyAudience } from './notify.ts'

/** A job that is held here, as its news need it. */
interface NewsOf {
  readonly id: string
  /** Whether it was released. */
  readonly isOver: boolean
  /** Does `work` after everything that was begun before it. */
  turn(work: () => Promise<void>): Promise<void>
}

/** Opens the progress and signs of life of a job while it runs: the one writer of their journals. */
export function openJobNews(
  parts: JobParts,
  held: NewsOf,
  named: Pick<JobRow, 'user_id' | 'app_id' | 'tool_id' | 'owner'>,
  startedAt: number | null,
) {
  const { bus, limits, log, store, activeJobs } = parts
  const jobId = held.id
  const journal = openJournalWriter(bus.journal, progressJournal(jobId))
  /** How many items of the journal the user's pages were notified of. */
  let told = 0
  let dropped = 0
  let heartbeatAt = startedAt
  let waiting: string[] = []
  /** Signs of life written so far, and whether there are new ones. */
  let lifeSeq = 0
  let news = false
  let beats = false
  let planned = false

  /** Whether the row still says that the job is under way here. */
  async function isMine(): Promise<boolean> {
    const row = (await store.get(jobs, jobId))?.row
    if (row && isActive(row) && isSameOwner(row.owner, named.owner)) return true
    activeJobs.release(jobId, 'it is not run here any more')
    return false
  }

  /** Notifies pages of what is written by now, also by an append that failed half way. */
  function notifyWritten(audience: Awaited<ReturnType<typeof audienceOf>>): void {
    const count = journal.written() - told
    told = journal.written()
    if (count === 0) return
    const seqs = Array.from({ length: count }, (_, at) => journal.tail() - count + 1 + at)
    notifyAudience(parts, audience, jobId, { ...named, state: 'running' }, 'progress', seqs)
  }

  async function writeProgress(items: readonly string[]): Promise<void> {
    // Asked before the write: once progress is in the journal, pages are notified at once, before the end of the job.
    const audience = await audienceOf(parts, named)
    // While as much waits as is kept, what comes is dropped.
    const taken = journal.unanswered() < limits.PROGRESS_KEPT ? items : []
    if (taken.length < items.length) drop(items.length)
    const waited = journal.unanswered()
    // Where somebody else wrote last, a host has ended the job, or the journal was lost.
    let isOurs = true
    try {
      isOurs = await journal.put(taken, isMine)
    } finally {
      if (isOurs) notifyWritten(audience)
      // What waited counts as dropped no more.
      if (journal.unanswered() < waited) drop(0)
    }
    if (!isOurs) return
    await bus.journal
      .trim(progressJournal(jobId), { keep: limits.PROGRESS_KEPT })
      .catch((err: unknown) => log.warn({ err, job: jobId }, 'a journal could not be trimmed'))
  }

  async function writeLife(): Promise<void> {
    const name = lifeJournal(jobId)
    const written = await bus.journal.append(name, lifeSeq + 1, [lifeText(life())])
    lifeSeq = written.ok ? written.tail : written.refused
    if (lifeSeq > 1) await bus.journal.trim(name, { keep: 1 })
  }

  async function write(): Promise<void> {
    planned = false
    if (held.isOver) return
    const items = waiting
    waiting = []
    const [hasNews, hasBeat] = [news, beats]
    news = false
    beats = false
    try {
      if (items.length > 0 || journal.unanswered() > 0) await writeProgress(items)
    } catch (err) {
      log.warn(
        { err, job: jobId, count: journal.unanswered() },
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
    if (planned || held.isOver) return
    planned = true
    void held.turn(write)
  }

  const lives = (at: number) => {
    heartbeatAt = at
    news = true
    plan()
  }

  function drop(count: number): void {
    dropped += count
    news = true
    plan()
  }

  const life = (): Life => ({
    last_seq: journal.tail(),
    // What nobody can read yet counts as dropped until it is written.
    dropped: dropped + journal.unanswered(),
    heartbeat_at: heartbeatAt,
  })
  return {
    /** Progress, dropped progress and the last sign of life so far: as they are now. */
    life,
    /** It was alive at that time, in Unix ms. */
    lives,
    progress({ type, json }: JobProgress): void {
      waiting.push(`{"type":${JSON.stringify(type)},"data":${json}}`)
      plan()
    },
    dropped: drop,
    /** The same, and its row is looked at again: another host may have ended it. */
    heartbeat(at: number): void {
      beats = true
      lives(at)
    },
  }
}

export type JobNews = ReturnType<typeof openJobNews>
