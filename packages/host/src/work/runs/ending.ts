import { type ErrorCode, type ErrorDetails, errorBody, type Refusal } from '@svc/contract'
import { run } from '@svc/contract/states'
import { update } from '@svc/state'
import { runs } from '../../catalog/run-row.ts'
import { refusalOf } from '../../kernel/refusal-of.ts'
import type { Completed } from './chunks.ts'
import type { RunParts } from './runs.ts'

/** How a run is to end: the event of its table, and what its last frames tell. */
export interface Ending {
  readonly event: 'finish' | 'cancel' | 'fail'
  /** The code of its `error` frame; `null`: it has none. */
  readonly code: ErrorCode | null
  readonly message: string
  /** What its `error` frame tells besides. */
  readonly details?: ErrorDetails
  /** What it took in all, and why the model stopped; of a run that finished. */
  readonly complete?: Completed
}

/** The run failed. */
export const failed = (code: ErrorCode, message: string): Ending => ({ event: 'fail', code, message })

/** Somebody cancelled it. */
export const cancelled: Ending = { event: 'cancel', code: null, message: 'the run was cancelled' }

/** Its session reached its longest lifetime. */
export const lifetimeReached: Ending = {
  event: 'cancel',
  code: 'APP_SESSION_EXPIRED',
  message: 'the session of this run reached its maximum lifetime',
}

/** The host that had it is gone or released it; a run is never done twice. */
export const orphaned: Ending = failed('internal_error', 'the host of this run died before the run had ended')

/** Its host closes. */
export const closed: Ending = failed(
  'internal_error',
  'the host of this run was closed before the run had ended',
)

/** Somebody else ended it, so its row has the reason. */
export const ended: Ending = failed('internal_error', 'the run was ended elsewhere')

/** What was thrown on the way; a fault of ours reads as `internal_error` with a fixed sentence. */
export function failedBy(error: unknown): Ending {
  const refusal = refusalOf(error)
  return refusal.code === 'internal_error' && refusal !== error
    ? failed('internal_error', 'the host failed during this run; the error has been logged')
    : { ...failed(refusal.code, refusal.message), ...detailsOf(refusal) }
}

/** Every detail that a frame gives an app, with its type. */
const detailTypes = {
  hint: 'string',
  retriable: 'boolean',
  retry_after_ms: 'number',
  reason: 'string',
  status: 'number',
  provider_code: 'string',
  stop_reason: 'string',
  quota: 'string',
  resets_at: 'string',
  max: 'number',
  used: 'number',
  wanted: 'number',
} as const satisfies Record<keyof ErrorDetails, string>

function detailsOf(refusal: Refusal): Pick<Ending, 'details'> {
  const { details = {} } = errorBody(refusal)
  const known = Object.entries(detailTypes).filter(([name, type]) => typeof details[name] === type)
  return known.length === 0
    ? {}
    : { details: Object.fromEntries(known.map(([name]) => [name, details[name]])) }
}

/**
 * The one way to end a run: the table of states says whether it may, a compare-and-set who was first. Its last frames
 * follow what is in the row. `won` by the one that ended it; the record as it is now, `null`: forgotten.
 */
export async function finish(
  { clock, store }: Pick<RunParts, 'clock' | 'store'>,
  id: string,
  { event, code }: Ending,
) {
  let won = false
  const record = await update(store, runs, id, (row) => {
    const state = row && run.next(row.state, event)
    won = state !== null
    return row && state ? { ...row, state, ended_at: clock.now(), error_code: code } : row
  })
  return { won, record }
}
