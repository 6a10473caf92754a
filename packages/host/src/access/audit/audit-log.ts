import type { AuditEntry } from '@svc/contract'
import type { AccessServices } from '../services.ts'
import type { AuditPage, AuditQuery } from './audit.ts'
import { cursorsOf } from './cursors.ts'

/** One of the logs: a journal, and what waits to be written to it. */
export interface AuditLog {
  /** Takes an entry; it is written with all others of its turn. */
  write(entry: AuditEntry): void
  /** Reads a page, with all that was taken before. */
  read(query: Omit<AuditQuery, 'log'>): Promise<AuditPage>
  /** Lets go of what is too much or too old. Never rejects: what fails is logged, and comes again. */
  trim(): Promise<void>
  /** Resolves when all that was taken is written, or could not be. */
  flush(): Promise<void>
}

/** The journal is trimmed each time so many parts of what it may keep came to it. */
const TRIMS = 20

/** Opens a log. Entries that the bus does not take are lost, and told to the log of the host: no call waits for them. */
export function openAuditLog(
  { bus, limits, log }: Pick<AccessServices, 'bus' | 'limits' | 'log'>,
  name: string,
): AuditLog {
  const journal = `audit:${name}`
  const cursors = cursorsOf(bus.epoch, journal)
  let waiting: string[] = []
  let lost = 0
  let tail = 0
  let sinceTrim = 0
  let writing: Promise<void> | null = null

  async function append(items: readonly string[]): Promise<void> {
    for (;;) {
      const written = await bus.journal.append(journal, tail + 1, items)
      tail = written.ok ? written.tail : written.refused
      if (written.ok) return
    }
  }

  async function trim(): Promise<void> {
    sinceTrim = 0
    const bounds = [
      { keep: limits.AUDIT_KEPT, maxBytes: limits.AUDIT_MAX_BYTES },
      { olderThanMs: limits.AUDIT_KEPT_MS },
    ]
    for (const bound of bounds)
      await bus.journal.trim(journal, bound).catch((err: unknown) => {
        log.error({ err, log: name }, 'the audit log could not be trimmed')
      })
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const items = waiting
      waiting = []
      try {
        await append(items)
        sinceTrim += items.length
        if (sinceTrim * TRIMS >= limits.AUDIT_KEPT) await trim()
      } catch (err) {
        log.error({ err, log: name, entries: items.length }, 'entries of the audit log could not be written')
      }
      if (lost > 0) log.error({ log: name, entries: lost }, 'entries of the audit log came too fast')
      lost = 0
    }
    writing = null
  }

  return {
    write(entry) {
      if (waiting.length >= limits.AUDIT_WAITING_MAX) lost += 1
      else waiting.push(JSON.stringify(entry))
      // After this turn, so that what it leaves behind is written at once.
      writing ??= Promise.resolve().then(writeAll)
    },
    async read({ after, user, what, limit }) {
      await writing
      const seen = after === undefined ? 0 : cursors.read(after)
      const batch = await bus.journal.read(journal, seen ?? 0, { limit: limits.AUDIT_LOOKED_AT_MAX })
      const entries: AuditEntry[] = []
      let place = batch.items.length === 0 ? batch.tail : batch.first - 1
      for (const { seq, item } of batch.items) {
        if (entries.length === limit) break
        place = seq
        const entry: AuditEntry = JSON.parse(item)
        if (isOf(entry, user) && (what ?? entry.what) === entry.what) entries.push(entry)
      }
      // From the beginning nothing can be missing but what is not kept any more, which is no news.
      const isLost = after !== undefined && (seen === null || batch.reset)
      return { entries, cursor: cursors.write(place), more: place < batch.tail, lost: isLost }
    },
    trim,
    flush: async () => void (await writing),
  }
}

/** Whether an entry is of what a user did, or of what was done to him. */
const isOf = ({ user_id, target }: AuditEntry, user: string | undefined) =>
  user === undefined || user_id === user || target === user
