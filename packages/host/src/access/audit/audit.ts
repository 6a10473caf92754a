import { type AuditEntry, type AuditName, type AuditRow, audit as rows } from '@svc/contract'
import { pause } from '@svc/node'
import type { AccessServices } from '../services.ts'
import { openAuditLog } from './audit-log.ts'

/** What is known of an entry where it is noted. */
export type AuditNote = Omit<AuditEntry, 'at' | 'what' | 'outcome' | 'user_id'>

/** Hears of each entry, beside the log of the host. */
export type AuditSink = (entry: AuditEntry) => void

/** Which entries a read is for. */
export interface AuditQuery {
  readonly log: AuditRow['log']
  /** The cursor of the page before. */
  readonly after?: string | undefined
  readonly user?: string | undefined
  readonly what?: AuditName | undefined
  readonly limit: number
}

/** One page of a log, the oldest entry first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** What the next page is asked with. */
  readonly cursor: string
  /** Whether there was more when this was read. */
  readonly more: boolean
  /** Entries behind the cursor of the question are not kept any more. */
  readonly lost: boolean
}

/** The audit log: who did what, when, and how it ended; never what was in it. */
export interface Audit {
  /** Notes what happened. It is written at the end of the turn; nothing waits for it. */
  note(what: AuditName, userId: string | null, outcome: string, more?: AuditNote): void
  /** Reads a page, with all that was noted before. */
  read(query: AuditQuery): Promise<AuditPage>
  /** Lets go of what is too old; the sweeper calls it. */
  sweep(): Promise<void>
  /** Writes what waits. Twice is harmless. */
  close(): Promise<void>
}

/** Opens the audit log of a host; `sink` is the embedder's, and what it throws is logged. */
export function openAudit(
  services: Pick<AccessServices, 'bus' | 'clock' | 'limits' | 'log'>,
  sink?: AuditSink,
): Audit {
  const { clock, limits, log } = services
  const logs = {
    acts: openAuditLog(services, 'acts'),
    calls: openAuditLog(services, 'calls'),
    denials: openAuditLog(services, 'denials'),
  }
  const cut = (value: string) => value.slice(0, limits.AUDIT_TEXT_MAX_CHARS)

  return {
    note(what, userId, outcome, more = {}) {
      const entry: AuditEntry = {
        at: new Date(clock.now()).toISOString(),
        what,
        user_id: userId,
        outcome,
        ...more,
        ...(more.target !== undefined && { target: cut(more.target) }),
        ...(more.method !== undefined && { method: cut(more.method) }),
      }
      logs[rows[what].log].write(entry)
      if (sink) tell(sink, entry)
    },
    read: ({ log: name, ...query }) => logs[name].read(query),
    async sweep() {
      for (const one of Object.values(logs)) await one.trim()
    },
    async close() {
      for (const one of Object.values(logs)) await one.flush()
      // What was noted in this turn is heard of too.
      if (sink) await pause()
    },
  }

  /** After the turn and the answers of this one: what a sink throws costs no caller anything; its time is the loop's. */
  function tell(hear: AuditSink, entry: AuditEntry): void {
    setImmediate(async () => {
      try {
        // Of an async function the promise; what else it returns is no matter.
        await (hear(entry) as unknown)
      } catch (err) {
        log.error({ err, what: entry.what }, 'the audit option of createHost failed')
      }
    })
  }
}
