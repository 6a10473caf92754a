import { refuse } from '@svc/contract'
import { isOwn, type WorkOwner } from '../engine/work-owner.ts'
import { type SessionRecord, sessions } from './session-row.ts'
import type { SessionServices } from './sessions.ts'

/** The refusal for a session that never was, is purged, or belongs to somebody else: they look the same. */
export const noSuchSession = () => refuse('APP_SESSION_NOT_FOUND')

/** A session of this owner as it was last written; `null` for a foreign one too. */
export async function ownSession(
  { store }: SessionServices,
  owner: WorkOwner,
  uuid: string,
): Promise<SessionRecord | null> {
  const record = await store.get(sessions, uuid)
  return record && isOwn(record.row, owner) ? record : null
}
