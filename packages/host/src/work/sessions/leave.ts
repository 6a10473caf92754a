import { session } from '@svc/contract/states'
import { writeEnd } from '../engine/retention.ts'
import type { SessionParts } from './parts.ts'
import { retention } from './retention.ts'
import { isActive, type SessionRecord } from './session-row.ts'

/**
 * Moves a session on its way out, as the table of states has it: from active to expired, from either to revoked. `null`
 * where somebody wrote it first or room had to be made: read it again. `at` is when the end came.
 */
export async function leave(
  parts: SessionParts,
  record: SessionRecord,
  event: 'expire' | 'window_closed' | 'delete' | 'reap',
  at: number,
): Promise<SessionRecord | null> {
  const { limits } = parts
  const { id, row } = record
  const state = session.next(row.state, event)
  if (state === null || state === 'active' || state === 'deleted')
    throw new Error(`a session cannot go from ${row.state} by ${event}`)
  const keptMs = state === 'expired' ? limits.EXPIRED_KEEP_MS : limits.REVOKED_RETENTION_MS
  // The prompt is for runs, and there are none after this.
  const next = { ...row, state, system_prompt: null, ended_at: row.ended_at ?? at, due_at: at + keptMs }
  const written = await writeEnd(parts, retention, record, next)
  if (written && isActive(row)) await stopRuns(parts, id, state)
  return written
}

/**
 * Drops the token of a session that has ended and cancels its runs, as well as it goes: a run that is not reached
 * finds its session gone at its next step.
 */
export async function stopRuns(
  { log, minted, runs }: SessionParts,
  uuid: string,
  why: 'expired' | 'revoked',
): Promise<void> {
  minted.drop(uuid)
  await runs.cancelAll(uuid, why).catch((err: unknown) => {
    log.warn({ err, session: uuid }, 'the runs of an ended session were not cancelled')
  })
}
