import { refuse } from '@svc/contract'
import { session } from '@svc/contract/states'
import { each } from '@svc/state'
import { retentionOf, writeEnd } from '../engine/retention.ts'
import type { WorkOwner } from '../engine/work-owner.ts'
import { noSuchSession, ownSession } from './own-session.ts'
import { isActive, type SessionRecord, type SessionRow, sessions } from './session-row.ts'
import type { SessionParts } from './sessions.ts'

/** An end of an active session that comes by itself, and when it came. */
export interface End {
  readonly event: 'expire' | 'window_closed'
  readonly at: number
}

/**
 * The end of an active session that has come by `now`, the earliest of them; `null` while it is active. `windowEndsAt`
 * is when its closed window takes it along, `null` while that is open. The idle end spares a session with a run under
 * way, the longest life does not.
 */
export function endBy(
  row: Pick<SessionRow, 'expires_at' | 'max_lifetime_at'>,
  now: number,
  windowEndsAt: number | null,
  hasRun: boolean,
): End | null {
  const ends: (End | null)[] = [
    { event: 'expire', at: row.max_lifetime_at },
    hasRun ? null : { event: 'expire', at: row.expires_at },
    windowEndsAt === null ? null : { event: 'window_closed', at: windowEndsAt },
  ]
  return ends.reduce(
    (first, end) => (end !== null && end.at <= now && end.at < (first?.at ?? Infinity) ? end : first),
    null,
  )
}

/** The row after a run or a refresh: its idle window begins again, within its longest life. */
export function afterSlide(row: SessionRow, now: number): SessionRow {
  const expires_at = Math.min(now + row.idle_ttl_ms, row.max_lifetime_at)
  return { ...row, last_active_at: now, expires_at, due_at: expires_at }
}

/**
 * Moves a session on its way out, as the table of states has it: from active to expired, from either to revoked. `null`
 * where somebody wrote it first or room had to be made: read it again. `at` is when the end came.
 */
export async function endSession(
  parts: SessionParts,
  record: SessionRecord,
  event: 'expire' | 'window_closed' | 'delete' | 'reap',
  at: number,
): Promise<SessionRecord | null> {
  const { limits } = parts
  const { id, row } = record
  const state = session.next(row.state, event)
  if (state === null || state === 'active' || state === 'deleted')
    throw new Error(`a session cannot go from ${row.state} by ${event}`)
  const keptMs = state === 'expired' ? limits.EXPIRED_KEEP_MS : limits.REVOKED_RETENTION_MS
  // The prompt is for runs, and there are none after this.
  const next = { ...row, state, system_prompt: null, ended_at: row.ended_at ?? at, due_at: at + keptMs }
  const written = await writeEnd(parts, retention, record, next)
  if (written && isActive(row)) await stopRuns(parts, id, state)
  return written
}

/**
 * Drops the token of a session that has ended and cancels its runs, as well as it goes: a run that is not reached
 * finds its session gone at its next step.
 */
export async function stopRuns(
  { log, minted, runs, toolSessions }: SessionParts,
  uuid: string,
  why: 'expired' | 'revoked',
): Promise<void> {
  minted.drop(uuid)
  toolSessions.end({ kind: 'agent', id: uuid })
  await runs.cancelAll(uuid, why).catch((err: unknown) => {
    log.warn({ err, session: uuid }, 'the runs of an ended session were not cancelled')
  })
}

/** How many ended sessions are kept. */
export const retention = retentionOf({
  collection: sessions,
  byApp: 'endedByApp',
  byUser: 'endedByUser',
  max: ({ SESSIONS_KEPT_PER_APP, SESSIONS_KEPT_PER_USER }) => ({
    app: SESSIONS_KEPT_PER_APP,
    user: SESSIONS_KEPT_PER_USER,
  }),
  forget: purge,
})

/** Forgets a session for good: its checkpoint first, so that a purge that breaks off is taken up by the next. */
export async function purge(
  { runs, store }: Pick<SessionParts, 'runs' | 'store'>,
  { id, revision }: SessionRecord,
): Promise<void> {
  await runs.forgetSession(id)
  await store.remove(sessions, id, revision)
}

/**
 * A session as it is now; `null` where it was purged. An end that has come is written down, sweeper or not, so what was
 * once read as ended is never active again. `hasRun` is said by who knows of a run under way.
 */
export async function currentSession(
  parts: SessionParts,
  record: SessionRecord,
  hasRun = false,
): Promise<SessionRecord | null> {
  for (let known: SessionRecord | null = record; known; known = await parts.store.get(sessions, record.id)) {
    const end = isActive(known.row) ? await endOf(parts, known, hasRun) : null
    if (!end) return known
    const ended = await endSession(parts, known, end.event, end.at)
    if (ended) return ended
  }
  return null
}

async function endOf(parts: SessionParts, { id, row }: SessionRecord, hasRun: boolean) {
  const windowEndsAt = row.window_uuid === null ? null : await windowEnd(parts, row.window_uuid)
  const now = parts.clock.now()
  const isSpared = hasRun || (now >= row.expires_at && (await parts.runs.activeOf(id)) > 0)
  return endBy(row, now, windowEndsAt, isSpared)
}

/** When a window takes its sessions along: after its grace; at once where its record is gone, for that goes later. */
async function windowEnd({ clock, copies, limits }: SessionParts, uuid: string): Promise<number | null> {
  const window = await copies.windows.get(uuid)
  if (!window) return clock.now()
  return window.row.closed_at === null ? null : window.row.closed_at + limits.SESSION_CLOSE_GRACE_MS
}

/** A session of this owner that is active now. Errors: by what became of it. */
export async function activeSession(
  parts: SessionParts,
  owner: WorkOwner,
  uuid: string,
): Promise<SessionRecord> {
  const own = await ownSession(parts, owner, uuid)
  const record = own && (await currentSession(parts, own))
  if (!record) throw noSuchSession()
  const { state } = record.row
  if (state !== 'active') throw gone[state]()
  return record
}

const hint = 'Create a new session; session.list with include_expired shows what became of this one.'
const gone = {
  expired: () => refuse('APP_SESSION_EXPIRED', undefined, { hint }),
  revoked: () => refuse('APP_SESSION_REVOKED', undefined, { hint }),
} as const

/**
 * Ends a session. A foreign one, one that never was and one that is purged stay as they are; for one that
 * is revoked its runs are looked for once more, in case the first try did not reach them.
 */
export async function revoke(parts: SessionParts, owner: WorkOwner, uuid: string): Promise<void> {
  for (;;) {
    const own = await ownSession(parts, owner, uuid)
    const record = own && (await currentSession(parts, own))
    if (!record) return
    const { state } = record.row
    if (session.next(state, 'delete') === state) return stopRuns(parts, uuid, 'revoked')
    if (await endSession(parts, record, 'delete', parts.clock.now())) return
  }
}

/** Ends every active session of an app of a user, and the streams that it has without one. */
export async function revokeAll(parts: SessionParts, userId: string, appId: string): Promise<void> {
  for await (const { id } of each(parts.store, sessions, 'activeByApp', { eq: [userId, appId] }))
    await revoke(parts, { userId, appId }, id)
  await parts.runs.cancelStreams(userId, appId)
}
