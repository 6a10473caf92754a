import { session } from '@svc/contract/states'
import type { Page } from '@svc/state'
import { current } from './current.ts'
import { leave, stopRuns } from './leave.ts'
import { ownSession, PAGE, type SessionParts } from './parts.ts'
import { type SessionRow, sessions } from './session-row.ts'
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
  for (let after: string | null = null; ; ) {
    const page: Page<SessionRow> = await parts.store.scan(sessions, 'activeByApp', {
      eq: [userId, appId],
      after,
      limit: PAGE,
    })
    for (const { id } of page.rows) await revoke(parts, { userId, appId }, id)
    if (page.next === null) break
    after = page.next
  }
  await parts.runs.cancelStreams(userId, appId)
}
