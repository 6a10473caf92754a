import type { Page } from '@svc/state'
import { current } from './current.ts'
import type { SessionParts } from './parts.ts'
import { isActive, type SessionRecord, type SessionRow, sessions } from './session-row.ts'
import type { SessionOwner } from './sessions.ts'

/** Lists sessions, newest first; ends that have come are written down first, so no list shows what is over as active. */
export async function listSessions(
  parts: SessionParts,
  { userId, appId }: SessionOwner,
  { includeExpired, limit }: { readonly includeExpired: boolean; readonly limit: number },
): Promise<SessionRecord[]> {
  const found: SessionRecord[] = []
  for (let after: string | null = null; ; ) {
    const bounds = { order: 'desc', after, limit } as const
    const page: Page<SessionRow> =
      appId === undefined
        ? await parts.store.scan(sessions, includeExpired ? 'byUser' : 'activeByUser', {
            ...bounds,
            eq: [userId],
          })
        : await parts.store.scan(sessions, includeExpired ? 'byApp' : 'activeByApp', {
            ...bounds,
            eq: [userId, appId],
          })
    for (const record of page.rows) {
      const now = await current(parts, record)
      if (now && (includeExpired || isActive(now.row))) found.push(now)
      if (found.length === limit) return found
    }
    if (page.next === null) return found
    after = page.next
  }
}
