import { type ErrorBody, type ErrorCode, errorBody, errorRow, type Limits, refuse } from '@svc/contract'
import type { CallOutcome } from '@svc/runner'
import { objectText } from '../tools/payload.ts'
import type { JobRow } from './job-row.ts'

/** How a job is to end: the event of its table, and what it leaves. */
export interface Ending {
  readonly event: 'succeed' | 'fail' | 'expire' | 'cancel'
  /** JSON text of an object. */
  readonly result: string | null
  readonly error: ErrorBody | null
  /** The reason for its process, if it still runs. */
  readonly reason: string
}

/** The job failed with a code of the table of errors. */
export const failed = (
  code: ErrorCode,
  message: string = errorRow(code).sentence,
  details?: Readonly<Record<string, unknown>>,
): Ending => ({
  event: 'fail',
  result: null,
  error: errorBody(refuse(code, message, details)),
  reason: message,
})

/** Somebody cancelled the job. */
export const cancelled = (reason = 'cancelled'): Ending => ({
  event: 'cancel',
  result: null,
  error: { code: 'cancelled', message: reason },
  reason,
})

/** The deadline has come; the details name a timeout that was moved. */
export function expired(row: JobRow, { JOB_DEADLINE_MAX_MS }: Pick<Limits, 'JOB_DEADLINE_MAX_MS'>): Ending {
  const { tool, timeout_ms, requested_timeout_ms } = row
  const details =
    requested_timeout_ms === null
      ? undefined
      : { timeout_ms, requested_timeout_ms, max_timeout_ms: JOB_DEADLINE_MAX_MS }
  const message = `${tool} did not end in ${timeout_ms} ms.`
  return { ...failed('tool_timeout', message, details), event: 'expire', reason: 'timeout' }
}

/** The host that had started the job is gone: it is never run again, because the call may not be idempotent. */
export const orphaned = (): Ending =>
  failed('agent_unavailable', 'the host that ran this job is gone; whether the tool had an effect is unknown')

/** The link to its runner is lost, or gave way to another of the same machine: its processes end there. */
export const disconnected = (): Ending =>
  failed('agent_unavailable', 'the runner of this job is gone; whether the tool had an effect is unknown')

/** The user took the machine away that the job is bound to. */
export const revoked = (): Ending => failed('agent_unavailable', 'the runner of this job was revoked')

/** What the runner answered. */
export function endingOf(outcome: CallOutcome, row: JobRow, limits: Limits): Ending {
  if (outcome.ok)
    return {
      event: 'succeed',
      result: objectText(outcome.json),
      error: null,
      reason: 'it has ended',
    }
  if (outcome.code === 'tool_timeout') return expired(row, limits)
  return failed(outcome.code, outcome.message, outcome.details)
}
