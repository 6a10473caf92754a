import { refuse } from '@svc/contract'
import type { WorkServices } from '../services.ts'
import { type SessionRecord, sessions } from './session-row.ts'
import type { SessionTokens } from './session-tokens.ts'
import type { SessionOwner } from './sessions.ts'

/** What sessions need of other services. Runs and sessions know each other: which runs there are is asked later. */
export type SessionServices = Pick<
  WorkServices,
  'clock' | 'copies' | 'limits' | 'log' | 'newId' | 'plugins' | 'store' | 'tokens'
> & { readonly activeRuns: () => WorkServices['runs'] }

/** The services of sessions, with the tokens that this host minted. */
export interface SessionParts extends SessionServices {
  readonly runs: WorkServices['runs']
  readonly minted: SessionTokens
  /** Counts the sessions that this host makes. */
  readonly nextNth: () => number
}

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
