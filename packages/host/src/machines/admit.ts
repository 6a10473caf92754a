import { timingSafeEqual } from 'node:crypto'
import type { RunnerRow } from './runner-row.ts'

/** A machine whose token was judged, and its key not yet. */
export interface Bearer {
  readonly runnerId: string
  readonly userId: string
  /** Of the token that it showed. */
  readonly tokenHash: string
}

/** Who comes, and by which names this host may be reached. */
export interface Arriving {
  readonly bearer: Bearer
  readonly isOwnName: (host: string) => boolean
  /** Hears once whether its key was its own. */
  readonly onJudged?: (isIn: boolean) => void
}

/** Why a machine does not come in: its token was replaced meanwhile, or belongs to another key. */
export type NotAdmitted = 'token' | 'key'

type Tokens = Pick<RunnerRow, 'token_hash' | 'next_token_hash' | 'key'>

/** Whether a token is good for a machine: the one that it showed last, or the one that its last link gave it. */
export const holds = ({ token_hash, next_token_hash }: Tokens, tokenHash: string): boolean =>
  isSame(token_hash, tokenHash) || (next_token_hash != null && isSame(next_token_hash, tokenHash))

/**
 * The row of a machine that showed a token and proved a key, with the token that it shows next. The first key is the
 * machine's. What it showed stays good, and every other token ends: a link that is cut now has cost nothing.
 */
export function admit<Row extends Tokens>(
  row: Row,
  shown: { readonly tokenHash: string; readonly key: string },
  nextHash: string,
): Row | NotAdmitted {
  if (!holds(row, shown.tokenHash)) return 'token'
  if (row.key != null && row.key !== shown.key) return 'key'
  return { ...row, token_hash: shown.tokenHash, next_token_hash: nextHash, key: shown.key }
}

/** The row of a machine that has stored its next token: the one before is worth nothing any more. */
export function confirm<Row extends Tokens>(row: Row): Row {
  const { next_token_hash: next } = row
  return next === null ? row : { ...row, token_hash: next, next_token_hash: null }
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
