import type { HistoryMessage } from '@svc/contract'
import { collection } from '../store/port.ts'

/** One message of a session's conversation. The record's id is `messageId(session, seq)`. */
export interface MessageRow extends HistoryMessage {
  readonly session_uuid: string
  /** Counts the messages of a session from 1. */
  readonly seq: number
  /** Unix ms. */
  readonly at: number
}

export const messages = collection({
  name: 'messages',
  row: {} as MessageRow,
  indexes: { bySession: (row) => [row.session_uuid, row.seq] },
})

/** The id of a message: a second writer of the same place loses. */
export const messageId = (sessionUuid: string, seq: number): string => `${sessionUuid}\n${seq}`
