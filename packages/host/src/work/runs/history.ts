import type { HistoryMessage } from '@svc/contract'
import type { WorkServices } from '../services.ts'
import type { SessionOwner } from '../sessions/sessions.ts'
import { messages } from './messages.ts'

/** The last messages of a session, the oldest first; none where it is not there or nothing can be read. */
export async function readHistory(
  { log, sessions, store }: Pick<WorkServices, 'log' | 'sessions' | 'store'>,
  owner: SessionOwner,
  uuid: string,
  limit: number,
): Promise<HistoryMessage[]> {
  try {
    if (!(await sessions.find(owner, uuid))) return []
    const { rows } = await store.scan(messages, 'bySession', { eq: [uuid], order: 'desc', limit })
    return rows.reverse().map(({ row }) => ({
      role: row.role,
      content: row.content,
      run_id: row.run_id,
      ...(row.aborted && { aborted: row.aborted }),
    }))
  } catch (err) {
    log.warn({ err, session: uuid }, 'the history of a session could not be read')
    return []
  }
}
