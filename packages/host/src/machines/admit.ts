import { timingSafeEqual } from 'node:crypto'
import type { LinkMachine } from '@svc/runner/link'
import { update } from '@svc/state'
import type { Owner } from '../kernel/hosts.ts'
import { hashOf, type RunnerRecord, type RunnerRow, runners } from './runner-row.ts'
import type { RunnerNeeds } from './services.ts'

/** A machine whose token was judged, and its key not yet. */
export interface Bearer {
  readonly runnerId: string
  readonly userId: string
  /** Of the token that it showed. */
  readonly tokenHash: string
}

/** A machine that connects, and the names by which it may reach this host. */
export interface ConnectingMachine {
  readonly bearer: Bearer
  readonly isOwnName: (host: string) => boolean
  /** Is called once with whether the key was its own. */
  readonly onJudged?: (isIn: boolean) => void
}

/** Why a machine is refused: its token was replaced meanwhile, or belongs to another key. */
export type NotAdmitted = 'token' | 'key'

type Tokens = Pick<RunnerRow, 'token_hash' | 'next_token_hash' | 'key'>

/** Whether a token is good for a machine: the one that it showed last, or the one that its last link gave it. */
export const acceptsToken = ({ token_hash, next_token_hash }: Tokens, tokenHash: string): boolean =>
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
  if (!acceptsToken(row, shown.tokenHash)) return 'token'
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

/** A machine that has proved its key, and what it is sent. */
export interface ProvenMachine {
  readonly bearer: Bearer
  /** The key that it proved. */
  readonly key: string
  readonly machine: LinkMachine
  /** The token that it shows next. */
  readonly nextToken: string
  /** The host that it connected to. */
  readonly holder: Owner
}

/**
 * Stores that a machine connected to a host: of two links each has an epoch of its own, and gets another token. `null`: it was
 * revoked.
 */
export async function raiseEpoch(
  parts: RunnerNeeds,
  { bearer, key, machine, nextToken, holder }: ProvenMachine,
): Promise<RunnerRecord | NotAdmitted | null> {
  let refused: NotAdmitted | undefined
  const record = await change(parts, bearer.runnerId, (row) => {
    const admitted = admit(row, { tokenHash: bearer.tokenHash, key }, hashOf(nextToken))
    refused = typeof admitted === 'string' ? admitted : undefined
    if (typeof admitted === 'string') return null
    const last_seen_at = parts.clock.now()
    return { ...admitted, machine, epoch: row.epoch + 1, held_by: holder, last_seen_at }
  })
  return refused ?? record
}

/** Stores that the machine of a link has stored its next token. */
export const noteTokenStored = (parts: RunnerNeeds, runnerId: string, epoch: number) =>
  change(parts, runnerId, (row) => (row.epoch === epoch ? confirm(row) : null))

/**
 * Stores that a link was seen by the host that has it, or that it is over (`holder` is `null`). `null`: its machine was
 * revoked, or linked again.
 */
export function noteSeen(
  parts: RunnerNeeds,
  runnerId: string,
  { epoch, holder }: { readonly epoch: number; readonly holder: Owner | null },
): Promise<RunnerRecord | null> {
  return change(parts, runnerId, (row) =>
    row.epoch === epoch ? { ...row, held_by: holder, last_seen_at: parts.clock.now() } : null,
  )
}

const change = (
  { store }: RunnerNeeds,
  runnerId: string,
  next: (row: Readonly<RunnerRow>) => RunnerRow | null,
): Promise<RunnerRecord | null> => update(store, runners, runnerId, (row) => row && next(row))
