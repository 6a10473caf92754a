import type { LinkMachine } from '@svc/runner/link'
import { update } from '@svc/state'
import { admit, type Bearer, confirm, type NotAdmitted } from './admit.ts'
import type { RunnerParts } from './parts.ts'
import { hashOf, type RunnerRecord, type RunnerRow, runners } from './runner-row.ts'

/** Who connected, and what it is told. */
export interface Arrival {
  readonly bearer: Bearer
  /** The key that it proved. */
  readonly key: string
  readonly machine: LinkMachine
  /** The token that it shows next. */
  readonly nextToken: string
}

/**
 * Writes down that a machine connected: of two links each has an epoch of its own, and gets another token.
 * `null`: it was revoked.
 */
export async function raiseEpoch(
  parts: RunnerParts,
  { bearer, key, machine, nextToken }: Arrival,
): Promise<RunnerRecord | NotAdmitted | null> {
  let refused: NotAdmitted | undefined
  const record = await change(parts, bearer.runnerId, (row) => {
    const admitted = admit(row, { tokenHash: bearer.tokenHash, key }, hashOf(nextToken))
    refused = typeof admitted === 'string' ? admitted : undefined
    if (typeof admitted === 'string') return null
    return { ...admitted, machine, epoch: row.epoch + 1, last_seen_at: parts.clock.now() }
  })
  return refused ?? record
}

/** Writes down that the machine of a link has stored its next token. */
export const keptToken = (parts: RunnerParts, runnerId: string, epoch: number) =>
  change(parts, runnerId, (row) => (row.epoch === epoch ? confirm(row) : null))

/** Writes down that a link was seen. `null`: its machine was revoked, or linked anew. */
export function seen(parts: RunnerParts, runnerId: string, epoch: number): Promise<RunnerRecord | null> {
  return change(parts, runnerId, (row) =>
    row.epoch === epoch ? { ...row, last_seen_at: parts.clock.now() } : null,
  )
}

const change = (
  { store }: RunnerParts,
  runnerId: string,
  next: (row: Readonly<RunnerRow>) => RunnerRow | null,
): Promise<RunnerRecord | null> => update(store, runners, runnerId, (row) => row && next(row))
