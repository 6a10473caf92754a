import { session } from '@svc/contract/states'
import { each } from '@svc/state'
import { current } from './current.ts'
import { leave, stopRuns } from './leave.ts'
import { ownSession, type SessionParts } from './parts.ts'
import { sessions } from './session-row.ts'
import type { SessionOwner } from './sessions.ts'

/**
 * Ends a session. A foreign one, one that never was and one that is purged stay as they are; for one that
 * is revoked its runs are looked for once more, in case the first try did not reach them.
 */
export async function revoke(parts: SessionParts, owner: SessionOwner, uuid: string): Promise<void> {
  for (;;) {
    const own = await ownSession(parts, owner, uuid)
    const record = own && (await current(parts, own))
    if (!record) return
    const { state } = record.row
    if (session.next(state, 'delete') === state) return stopRuns(parts, uuid, 'revoked')
    if (await leave(parts, record, 'delete', parts.clock.now())) return
  }
}

/** Ends every active session of an app of a user, and the streams that it has without one. */
export async function revokeAll(parts: SessionParts, userId: string, appId: string): Promise<void> {
  for await (const { id } of each(parts.store, sessions, 'activeByApp', { eq: [userId, appId] }))
    await revoke(parts, { userId, appId }, id)
  await parts.runs.cancelStreams(userId, appId)
}
