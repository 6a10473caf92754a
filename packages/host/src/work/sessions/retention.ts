import { retentionOf } from '../engine/retention.ts'
import type { SessionParts } from './parts.ts'
import { type SessionRecord, sessions } from './session-row.ts'

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
