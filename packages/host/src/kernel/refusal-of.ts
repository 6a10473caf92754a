import { errorRow, Refusal, refuse } from '@svc/contract'
import type { Logger } from './logger.ts'

const HINT = 'Try again in a moment. The operator sees why in the log, and under /readyz.'

/** The errors of the state ports, known by name where they come from another copy of their package. */
const OF_STATE = new Set(['StoreError', 'BusError'])

/**
 * What a caller is told of an exception: a refusal as it is; `storage_unavailable` where the storage cannot be written or
 * read just now; `internal_error` for everything else, without a word of its cause.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return isUnavailable(error)
    ? refuse('storage_unavailable', undefined, { hint: HINT })
    : refuse('internal_error')
}

/**
 * The same, with what was no refusal in the log, or what says that it has been logged: `about` are the fields of its line,
 * `what` its sentence.
 */
export function loggedRefusal(log: Logger, error: unknown, what: string, about: object = {}): Refusal {
  const refusal = refusalOf(error)
  if (refusal !== error || refusal.message === errorRow('internal_error').sentence)
    log.error({ err: error, ...about }, what)
  return refusal
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && OF_STATE.has(error.name) && 'code' in error && error.code === 'unavailable'
}
