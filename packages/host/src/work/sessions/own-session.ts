import { refuse } from '@svc/contract'
import { type SessionRecord, sessions } from './session-row.ts'
import type { SessionOwner, SessionServices } from './sessions.ts'

/** The refusal for a session that never was, is purged, or belongs to somebody else: they look the same. */
export const noSuchSession = () => refuse('APP_SESSION_NOT_FOUND')

/** A session of this owner as it was last written; `null` for a foreign one too. */
export async function ownSession(
  { store }: SessionServices,
  owner: SessionOwner,
  uuid: string,
): Promise<SessionRecord | null> {
  const record = await store.get(sessions, uuid)
  const isOwn =
    record?.row.user_id === owner.userId && (owner.appId === undefined || record.row.app_id === owner.appId)
  return isOwn ? record : null
}
