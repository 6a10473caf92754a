import type { HistoryMessage } from '@svc/contract'
import type { House } from '../house.ts'
import type { SessionOwner } from '../sessions/sessions.ts'

/** The last messages of a session, the oldest first; none where it is not there or nothing can be read. */
export async function readHistory(
  _house: House,
  _owner: SessionOwner,
  _uuid: string,
  _limit: number,
): Promise<HistoryMessage[]> {
  return []
}
