import type { SessionRow } from './session-row.ts'

/** An end of an active session that comes without anybody's word, and when it came. */
export interface End {
  readonly event: 'expire' | 'window_closed'
  readonly at: number
}

/**
 * The end of an active session that has come by `now`, the earliest of them; `null` while it goes on. `windowEndsAt`
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

/** The row after a run or a refresh: its idle window begins anew, within its longest life. */
export function slid(row: SessionRow, now: number): SessionRow {
  const expires_at = Math.min(now + row.idle_ttl_ms, row.max_lifetime_at)
  return { ...row, last_active_at: now, expires_at, due_at: expires_at }
}
