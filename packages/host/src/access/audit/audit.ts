import {
  type AuditEntry,
  type AuditName,
  type AuditRow,
  Refusal,
  type RpcRequest,
  audit as rows,
  type WindowClaims,
} from '@svc/contract'
import { pause } from '@svc/node'
import { openIsoText } from '../../kernel/iso.ts'
import { addressOf, type Head } from '../../kernel/request/head.ts'
import type { AccessServices } from '../services.ts'
import { BlockedRefusal } from '../users/sign-in.ts'
import { cursorsOf } from './cursors.ts'

/** What is known of an entry where it is noted. */
export type AuditNote = Omit<AuditEntry, 'at' | 'what' | 'outcome' | 'user_id'>

/** Receives each entry, in addition to the log of the host. */
export type AuditSink = (entry: AuditEntry) => void

/** Which entries a read is for. */
interface AuditQuery {
  readonly log: AuditRow['log']
  /** The cursor of the page before. */
  readonly after?: string | undefined
  readonly user?: string | undefined
  readonly what?: AuditName | undefined
  readonly limit: number
}

/** One page of a log, the oldest entry first. */
interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** What the next page is asked with. */
  readonly cursor: string
  /** Whether there was more when this was read. */
  readonly more: boolean
  /** Entries behind the cursor of the question are not kept any more. */
  readonly lost: boolean
}

/** The journal is trimmed each time so many parts of what it may keep came to it. */
const TRIMS = 20

/**
 * Opens one of the logs: a journal, and what waits to be written to it. Entries that the bus does not take are lost,
 * and the host logs that: no call waits for them.
 */
function openAuditLog({ bus, limits, log }: Pick<AccessServices, 'bus' | 'limits' | 'log'>, name: string) {
  const journal = `audit:${name}`
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
    /** Takes an entry; it is written with all others of its turn. */
    write(entry: AuditEntry) {
      if (waiting.length >= limits.AUDIT_WAITING_MAX) lost += 1
      else waiting.push(JSON.stringify(entry))
      // After this turn, so that what it leaves behind is written at once.
      writing ??= Promise.resolve().then(writeAll)
    },
    /** Reads a page, with all that was taken before. */
    async read({ after, user, what, limit }: Omit<AuditQuery, 'log'>): Promise<AuditPage> {
      await writing
      const cursors = cursorsOf(bus.epoch, journal)
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
    /** Removes what is too much or too old. Never rejects: what fails is logged and tried again. */
    trim,
    /** Resolves when all that was taken is written, or could not be. */
    flush: async () => void (await writing),
  }
}

/** Whether an entry is of what a user did, or of what was done to him. */
const isOf = ({ user_id, target }: AuditEntry, user: string | undefined) =>
  user === undefined || user_id === user || target === user

/** Opens the audit log of a host; `sink` is the embedder's, and what it throws is logged. */
export function openAudit(
  services: Pick<AccessServices, 'bus' | 'clock' | 'limits' | 'log'>,
  sink?: AuditSink,
) {
  const { clock, limits, log } = services
  const logs = {
    acts: openAuditLog(services, 'acts'),
    calls: openAuditLog(services, 'calls'),
    denials: openAuditLog(services, 'denials'),
  }
  const cut = (value: string) => value.slice(0, limits.AUDIT_TEXT_MAX_CHARS)
  const isoText = openIsoText()

  return {
    /** Records what happened. It is written at the end of the turn; nothing waits for it. */
    note(what: AuditName, userId: string | null, outcome: string, more: AuditNote = {}) {
      const entry: { -readonly [Field in keyof AuditEntry]: AuditEntry[Field] } = {
        at: isoText(clock.now()),
        what,
        user_id: userId,
        outcome,
        ...more,
      }
      if (more.target !== undefined) entry.target = cut(more.target)
      if (more.method !== undefined) entry.method = cut(more.method)
      logs[rows[what].log].write(entry)
      if (sink) callSink(sink, entry)
    },
    /** Reads a page, with all that was noted before. */
    read: ({ log: name, ...query }: AuditQuery) => logs[name].read(query),
    /** Removes what is too old; the sweeper calls it. */
    async sweep() {
      for (const one of Object.values(logs)) await one.trim()
    },
    /** Writes what waits. Twice is harmless. */
    async close() {
      for (const one of Object.values(logs)) await one.flush()
      // The sink gets what was noted in this turn too.
      if (sink) await pause()
    },
  }

  /** After the turn and the answers of this one: what a sink throws costs no caller anything; its time is the loop's. */
  function callSink(hear: AuditSink, entry: AuditEntry): void {
    setImmediate(async () => {
      try {
        // Of an async function the promise; what else it returns is ignored.
        await (hear(entry) as unknown)
      } catch (err) {
        log.error({ err, what: entry.what }, 'the audit option of createHost failed')
      }
    })
  }
}

/** The audit log: who did what, when, and how it ended; never what was in it. */
export type Audit = ReturnType<typeof openAudit>

/** The codes that deny: what a caller may not do, and who shows no sign-in or token. */
const denials: ReadonlySet<string> = new Set(['permission_denied', 'invalid_token'])

/** Whether a code of an answer denies. */
const isDenial = (code: string): boolean => denials.has(code)

/** Notes a request that was denied; what else it was answered is ignored. */
export function noteDenied(
  audit: Audit,
  answer: unknown,
  { head, method, userId }: { head: Pick<Head, 'peer'>; method: string; userId?: string | undefined },
): void {
  if (!(answer instanceof Refusal && isDenial(answer.code))) return
  const about = answer instanceof BlockedRefusal ? answer.userId : undefined
  audit.note('denied', userId ?? about ?? null, answer.code, { method, ...addressOf(head) })
}

/** How a call ended: its name, or `?` for one that is in no table. */
export interface EndedCall {
  readonly ns: string
  readonly method: string
  readonly code: string
  readonly ms: number
}

const toolMethods: ReadonlySet<string> = new Set(['invoke', 'invokeAsync'])

/** Notes a call of a tool, however it ended, and every other call that was denied. All else costs two comparisons. */
export function noteCall(
  audit: Audit,
  call: RpcRequest,
  { user_id, app_id, wid }: WindowClaims,
  { ns, method, code, ms }: EndedCall,
): void {
  if (ns === 'tools' && toolMethods.has(method))
    audit.note('tool.call', user_id, code, {
      app_id,
      window_uuid: wid,
      // What is not the name of a tool is only the caller's own text.
      ...(code !== 'invalid_arg' && { target: textOf(call.args, 'tool_id') ?? '?' }),
      ...(code !== 'invalid_arg' && { method: textOf(call.args, 'method') ?? method }),
      ms,
    })
  else if (isDenial(code))
    audit.note('denied', user_id, code, { app_id, window_uuid: wid, method: `${ns}.${method}` })
}

function textOf(args: unknown, name: string): string | undefined {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, name)) return undefined
  const value: unknown = Reflect.get(args, name)
  return typeof value === 'string' ? value : undefined
}
