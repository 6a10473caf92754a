import { refuse } from '@svc/contract'
import { endBy } from './ends.ts'
import { leave } from './leave.ts'
import { noSuchSession, ownSession, type SessionParts } from './parts.ts'
import { isActive, type SessionRecord, sessions } from './session-row.ts'
import type { SessionOwner } from './sessions.ts'

/**
 * A session as it stands now; `null` where it was purged. An end that has come is written down, sweeper or not, so
 * what was once read as ended is never active again. `hasRun` is said by who knows of a run under way.
 */
export async function current(
  parts: SessionParts,
  record: SessionRecord,
  hasRun = false,
): Promise<SessionRecord | null> {
  for (let known: SessionRecord | null = record; known; known = await parts.store.get(sessions, record.id)) {
    const end = isActive(known.row) ? await endOf(parts, known, hasRun) : null
    if (!end) return known
    const ended = await leave(parts, known, end.event, end.at)
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
  owner: SessionOwner,
  uuid: string,
): Promise<SessionRecord> {
  const own = await ownSession(parts, owner, uuid)
  const record = own && (await current(parts, own))
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
