import type { Limits } from '@svc/contract'
import type { SessionParts } from './parts.ts'
import { type SessionRecord, type SessionRow, sessions } from './session-row.ts'

/**
 * How many ended sessions are kept: the caps of the write that ends one, so that no app fills the store by making and
 * deleting, or pushes out what another one left. The session that ends is kept in any case.
 */
export const retentionCaps = (
  { SESSIONS_KEPT_PER_APP, SESSIONS_KEPT_PER_USER }: Limits,
  { user_id, app_id }: SessionRow,
) =>
  [
    { name: 'app', index: 'endedByApp', eq: [user_id, app_id], max: Math.max(1, SESSIONS_KEPT_PER_APP) },
    { name: 'user', index: 'endedByUser', eq: [user_id], max: Math.max(1, SESSIONS_KEPT_PER_USER) },
  ] as const

/** Makes room under the cap of that name, which is full: the session that ended first goes. */
export async function purgeOldest(parts: SessionParts, row: SessionRow, full: string): Promise<void> {
  for (const { name, index, eq } of retentionCaps(parts.limits, row)) {
    if (name !== full) continue
    const { rows } = await parts.store.scan(sessions, index, { eq, limit: 1 })
    for (const oldest of rows) await purge(parts, oldest)
  }
}

/** Forgets a session for good: its checkpoint first, so that a purge that breaks off is taken up by the next. */
export async function purge(
  { runs, store }: Pick<SessionParts, 'runs' | 'store'>,
  { id, revision }: SessionRecord,
): Promise<void> {
  await runs.forgetSession(id)
  await store.remove(sessions, id, revision)
}
