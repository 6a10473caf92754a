import type { HistoryMessage, HistoryPart } from '@svc/contract'
import { collection, type StoreRecord } from '@svc/state'
import { insertWithRoom } from '../../kernel/room.ts'
import type { WorkOwner } from '../engine/work-owner.ts'
import type { WorkServices } from '../services.ts'

/** One message of a session's conversation. The record's id is `messageId(session, seq)`. */
export interface MessageRow extends HistoryMessage {
  readonly user_id: string
  readonly session_uuid: string
  /** Counts the messages of a session from 1. */
  readonly seq: number
  /** What it holds, in bytes of JSON. */
  readonly size_bytes: number
  /** What it and all before it hold. */
  readonly upto: number
  /** Unix ms. */
  readonly at: number
}

export const messages = collection({
  name: 'messages',
  row: {} as MessageRow,
  indexes: {
    bySession: (row) => [row.session_uuid, row.seq],
    byBytes: (row) => [row.session_uuid, row.upto],
    byUser: (row) => [row.user_id, row.at],
  },
  weight: (row) => row.size_bytes,
})

/** The id of a message: a second writer of the same place loses. */
export const messageId = (sessionUuid: string, seq: number): string => `${sessionUuid}\n${seq}`

/** The parts of a message; plain text is one. */
export const partsOf = ({ content }: Pick<HistoryMessage, 'content'>): readonly HistoryPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/**
 * Stores messages after those that are there, and deletes the oldest past `SESSION_MESSAGES_MAX` and
 * `SESSION_MESSAGES_MAX_BYTES`, and those of all sessions of the user past `MESSAGES_BYTES_PER_USER`: a run that never
 * reached a model has its quota refunded, so the quota alone bounds nothing.
 */
export async function remember(
  { clock, limits, store }: Pick<WorkServices, 'clock' | 'limits' | 'store'>,
  { userId, sessionUuid }: { readonly userId: string; readonly sessionUuid: string },
  said: readonly HistoryMessage[],
): Promise<void> {
  const room = {
    cap: { index: 'byUser', eq: [userId], max: limits.MESSAGES_BYTES_PER_USER, of: 'weight' },
    oldest: 'byUser',
    forget: ({ id, revision }: StoreRecord<MessageRow>) => store.remove(messages, id, revision),
  } as const
  const eq = [sessionUuid]
  const newest = await store.scan(messages, 'bySession', { eq, order: 'desc', limit: 1 })
  let { seq, upto } = newest.rows[0]?.row ?? { seq: 0, upto: 0 }
  for (const message of said) {
    const size_bytes = Buffer.byteLength(JSON.stringify(message.content))
    upto += size_bytes
    for (let isWritten = false; !isWritten; ) {
      seq += 1
      const id = messageId(sessionUuid, seq)
      const at = clock.now()
      const row = { ...message, user_id: userId, session_uuid: sessionUuid, seq, size_bytes, upto, at }
      const inserted = await insertWithRoom(store, messages, id, row, { room })
      // The newest is kept in any case.
      isWritten = ('full' in inserted ? await store.insert(messages, id, row) : inserted).ok
    }
  }
  const tooOld = [
    ['bySession', seq - limits.SESSION_MESSAGES_MAX],
    ['byBytes', upto - limits.SESSION_MESSAGES_MAX_BYTES],
  ] as const
  // Both count from 1, so most sessions have nothing to look for.
  for (const [index, to] of tooOld)
    for (let isDone = to < 1; !isDone; ) {
      const { rows, next } = await store.scan(messages, index, { eq, to, limit: said.length + 1 })
      for (const { id, revision } of rows) await store.remove(messages, id, revision)
      isDone = next === null
    }
}

/**
 * The last messages of a session, the oldest first; none where it is not there. What cannot be read is thrown: an app
 * must not take it for a session in which nothing was said.
 */
export async function readHistory(
  { sessions, store }: Pick<WorkServices, 'sessions' | 'store'>,
  owner: WorkOwner,
  uuid: string,
  limit: number,
): Promise<HistoryMessage[]> {
  if (!(await sessions.find(owner, uuid))) return []
  const { rows } = await store.scan(messages, 'bySession', { eq: [uuid], order: 'desc', limit })
  return rows.reverse().map(({ row }) => ({
    role: row.role,
    content: row.content,
    run_id: row.run_id,
    ...(row.aborted && { aborted: row.aborted }),
  }))
}
