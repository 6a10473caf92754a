import { refuse } from '@svc/contract'
import { isoOf } from '../../kernel/iso.ts'
import type { WorkOwner } from '../engine/work-owner.ts'
import { activeSession, afterSlide, currentSession } from './ends.ts'
import { isActive, type SessionRecord, type SessionRow, sessions } from './session-row.ts'
import type { SessionParts } from './sessions.ts'

const DAY_MS = 86_400_000

/** A refresh: judge and swap on the revision that was judged, until it holds. The token is minted again. */
export async function touch(parts: SessionParts, owner: WorkOwner, uuid: string): Promise<SessionRecord> {
  for (;;) {
    const { revision, row } = await activeSession(parts, owner, uuid)
    const swapped = await parts.store.swap(sessions, uuid, revision, afterSlide(row, parts.clock.now()))
    if (!swapped.ok) continue
    parts.minted.drop(uuid)
    return swapped.record
  }
}

/** What a run under way does at its start, its steps and its end; its idle end cannot have come. */
export async function slide(
  parts: SessionParts,
  uuid: string,
  countRun: boolean,
): Promise<SessionRecord | null> {
  for (;;) {
    const found = await parts.store.get(sessions, uuid)
    const record = found && (await currentSession(parts, found, true))
    if (!record || !isActive(record.row)) return null
    const now = parts.clock.now()
    const row = countRun ? counted(record.row, now) : record.row
    const next = afterSlide(row, now)
    // A run that begins at once slides twice in one millisecond.
    if (!countRun && isSameEnd(row, next)) return record
    const swapped = await parts.store.swap(sessions, uuid, record.revision, next)
    if (swapped.ok) return swapped.record
  }
}

const isSameEnd = (row: SessionRow, next: SessionRow): boolean =>
  row.last_active_at === next.last_active_at &&
  row.expires_at === next.expires_at &&
  row.due_at === next.due_at

/** The row with one more run of its day (UTC). Errors: `APP_QUOTA_EXCEEDED`. */
export function counted(row: SessionRow, now: number): SessionRow {
  const day = Math.floor(now / DAY_MS)
  const used = day === row.day ? row.runs_today : 0
  const max = row.caps.max_runs_per_day
  if (max !== undefined && used >= max) {
    const resets_at = isoOf((day + 1) * DAY_MS)
    const hint = `The quota is reset at ${resets_at}; another session has its own.`
    throw refuse(
      'APP_QUOTA_EXCEEDED',
      `max_runs_per_day of this session is ${max}; ${used} were begun today`,
      {
        quota: 'max_runs_per_day',
        max,
        used,
        resets_at,
        hint,
      },
    )
  }
  return { ...row, day, runs_today: used + 1 }
}
