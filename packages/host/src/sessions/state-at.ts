import { session } from '@svc/contract/states'
import type { SessionRow } from './session-row.ts'

/**
 * The state of a session now: its ends count whether or not the sweeper has come by (design §5). The idle end does
 * not hit a session whose run is under way (decision 23): who knows of one says so.
 */
export function stateAt(
  row: Pick<SessionRow, 'state' | 'expires_at' | 'max_lifetime_at'>,
  now: number,
  hasRun = false,
): SessionRow['state'] {
  const isOver = now >= row.max_lifetime_at || (now >= row.expires_at && !hasRun)
  const next = isOver ? session.next(row.state, 'expire') : null
  return next === 'expired' ? next : row.state
}
