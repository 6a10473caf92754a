import { each } from '@svc/state'
import { current } from './current.ts'
import type { SessionParts } from './parts.ts'
import { isActive, type SessionRecord, sessions } from './session-row.ts'
import type { SessionOwner } from './sessions.ts'

/** Lists sessions, newest first; ends that have come are written down first, so no list shows what is over as active. */
export async function listSessions(
  parts: SessionParts,
  { userId, appId }: SessionOwner,
  { includeExpired, limit }: { readonly includeExpired: boolean; readonly limit: number },
): Promise<SessionRecord[]> {
  const found: SessionRecord[] = []
  const bounds = { order: 'desc', limit } as const
  const mine =
    appId === undefined
      ? each(parts.store, sessions, includeExpired ? 'byUser' : 'activeByUser', { ...bounds, eq: [userId] })
      : each(parts.store, sessions, includeExpired ? 'byApp' : 'activeByApp', {
          ...bounds,
          eq: [userId, appId],
        })
  for await (const record of mine) {
    const now = await current(parts, record)
    if (now && (includeExpired || isActive(now.row))) found.push(now)
    if (found.length === limit) break
  }
  return found
}
