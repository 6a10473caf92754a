import { each } from '@svc/state'
import { windows } from '../../catalog/window-row.ts'
import { withoutThrowing } from '../engine/best-effort.ts'
import { currentSession, endSession, purge } from './ends.ts'
import { type SessionRecord, type SessionRow, sessions } from './session-row.ts'
import type { SessionParts } from './sessions.ts'

/** What is done with a session whose `due_at` has come, by its state. */
const steps: Readonly<
  Record<SessionRow['state'], (parts: SessionParts, record: SessionRecord) => Promise<unknown>>
> = {
  active: currentSession,
  expired: (parts, record) => endSession(parts, record, 'reap', parts.clock.now()),
  revoked: purge,
}

/**
 * Makes the sweep of sessions: ends those of closed windows, then expires, revokes and purges what is due. What fails
 * is logged and tried again by the next sweep: no session holds up another.
 */
export function openSweep(parts: SessionParts): () => Promise<void> {
  const { clock, limits, store } = parts
  /** Windows closed before this were seen to; sessions that came under them later end when they are looked at. */
  let closedSince = 0

  async function endOfWindow(uuid: string): Promise<boolean> {
    let isDone = true
    for await (const record of each(store, sessions, 'activeByWindow', { eq: [uuid] }))
      isDone =
        (await withoutThrowing(parts, 'session', record.id, () => currentSession(parts, record))) && isDone
    return isDone
  }

  async function endOfWindows(): Promise<void> {
    const to = clock.now() - limits.SESSION_CLOSE_GRACE_MS
    let isDone = true
    for await (const { id } of each(store, windows, 'closedAt', { from: closedSince, to }))
      isDone = (await endOfWindow(id)) && isDone
    if (isDone) closedSince = to
  }

  async function settleDue(): Promise<void> {
    const to = clock.now()
    for await (const record of each(store, sessions, 'dueAt', { to }))
      await withoutThrowing(parts, 'session', record.id, () => steps[record.row.state](parts, record))
  }

  return async () => {
    await endOfWindows()
    await settleDue()
  }
}
