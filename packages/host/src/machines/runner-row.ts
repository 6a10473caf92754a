import { createHash } from 'node:crypto'
import type { LinkMachine } from '@svc/runner/link'
import { collection, type StoreRecord } from '@svc/state'
import type { Owner } from '../kernel/hosts.ts'

/** A machine that a user enrolled. The record's id is its `runner_id`. Times are Unix ms. */
export interface RunnerRow {
  readonly user_id: string
  readonly name: string
  /** SHA-256 of its token, in hexadecimal: the token itself is shown once and kept nowhere. */
  readonly token_hash: string
  /** The same of the token that its last link gave it; `null`: it has stored that one, or had no link. */
  readonly next_token_hash: string | null
  /** The public key that came with its first hello, as base64url; `null` before that. */
  readonly key: string | null
  /** What it last told of itself. */
  readonly machine: LinkMachine | null
  /** Counts its links: messages of an older one are ignored. */
  readonly epoch: number
  /** The host that has the link of that epoch; `null`: none has. A row from before this was written has no such field. */
  readonly held_by?: Owner | null
  readonly created_at: number
  readonly last_seen_at: number | null
}

/** A machine as the store has it. */
export type RunnerRecord = StoreRecord<RunnerRow>

export const runners = collection({
  name: 'runners',
  row: {} as RunnerRow,
  indexes: {
    byUser: (row) => [row.user_id, row.created_at],
    byToken: (row) => [row.token_hash],
    byNextToken: (row) => (row.next_token_hash ? [row.next_token_hash] : null),
  },
})

/** What is kept of a token. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
