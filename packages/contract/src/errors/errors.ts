export { type InstallFault, installFaults } from './install-faults.ts'

/** One error code: its sentence, the HTTP status of its envelope, and whether the same call may succeed later. */
export interface ErrorRow {
  readonly sentence: string
  readonly status: number
  readonly retryable?: true
  /** The number of a session error (`APP_…`) in JSON-RPC, where the name has one. */
  readonly rpcCode?: number
}

/**
 * Every code that an envelope or a route can carry.
 *
 * A new code is a new row; clients branch on the code, never on the sentence.
 */
export const errors = {
  invalid_token: {
    status: 401,
    sentence: 'The token or sign-in is missing, expired or not for this window.',
  },
  permission_denied: { status: 403, sentence: 'This app may not do that.' },
  invalid_arg: { status: 400, sentence: 'An argument is missing or wrong.' },
  not_found: { status: 404, sentence: 'There is no such thing for this caller.' },
  conflict: { status: 409, sentence: 'It exists already or was changed meanwhile.' },
  agent_unavailable: {
    status: 503,
    retryable: true,
    sentence: 'No runner of this user is online for that plugin.',
  },
  plug_error: { status: 502, sentence: 'The plugin answered with an error or ended before it answered.' },
  plug_unavailable: { status: 503, sentence: 'The plugin could not be started or gave no valid reply.' },
  tool_failed: { status: 502, sentence: 'The tool reported a failure.' },
  tool_timeout: { status: 504, sentence: 'The tool did not answer in time.' },
  subcall_timeout: { status: 504, sentence: 'A request that the plugin made to the host timed out.' },
  result_too_large: { status: 413, sentence: 'The result is over the cap of its channel.' },
  frame_too_large: { status: 413, sentence: 'A line is over the cap of the stdio wire.' },
  bundle_not_ready: { status: 409, sentence: 'The app has no entry file yet.' },
  rate_limited: {
    status: 429,
    retryable: true,
    sentence: 'Too many requests at once or in a time; `details.retry_after_ms` says when there is room.',
  },
  state_too_large: { status: 413, sentence: 'The window state would be over its cap.' },
  precondition_failed: { status: 412, sentence: 'The stored value is not the one that if_match names.' },
  not_implemented: { status: 501, sentence: 'This host does not offer the method.' },
  quota_exceeded: { status: 429, sentence: 'A quota of this user or app is used up.' },
  job_quota_exceeded: { status: 429, retryable: true, sentence: 'Too many jobs of this user are active.' },
  long_job_capacity: { status: 503, retryable: true, sentence: 'The runner has no free place for a job.' },
  job_not_found: { status: 404, sentence: 'There is no such job for this caller.' },
  storage_unavailable: {
    status: 503,
    retryable: true,
    sentence: 'The host cannot read or write its data just now.',
  },
  internal_error: { status: 500, sentence: 'Something went wrong in the host. It has been logged.' },
  cancelled: { status: 499, sentence: 'It was cancelled.' },

  no_content_changes: {
    status: 409,
    sentence: 'There are no content changes since the last published version.',
  },
  draft_expired: { status: 410, sentence: 'The draft was not committed in time.' },

  APP_SESSION_EXPIRED: { status: 410, rpcCode: -32017, sentence: 'The session has ended; create a new one.' },
  APP_SESSION_TOKEN_EXPIRED: {
    status: 401,
    rpcCode: -32018,
    sentence: 'The session token has lapsed; refresh it.',
  },
  APP_SESSION_REVOKED: {
    status: 410,
    rpcCode: -32011,
    sentence: 'The session was deleted; create a new one.',
  },
  APP_SESSION_NOT_FOUND: { status: 404, sentence: 'There is no such session for this caller.' },
  session_expired: { status: 410, sentence: 'The session of this token is gone.' },
  APP_QUOTA_EXCEEDED: { status: 429, sentence: 'A quota of this session or user is used up.' },
  APP_MODEL_NOT_VISION_CAPABLE: { status: 422, sentence: 'The chosen model does not accept images.' },
  APP_INVALID_REQUEST: { status: 400, sentence: 'The request is not one that a session takes.' },
} as const satisfies Record<string, ErrorRow>

/** A code of the table. */
export type ErrorCode = keyof typeof errors

/** The table by a code that came from outside: no inherited name answers. */
const rows: ReadonlyMap<string, ErrorRow> = new Map<string, ErrorRow>(Object.entries(errors))

/** The row of `code`; a code that is not in the table reads as `internal_error`. */
export function errorRow(code: string): ErrorRow {
  return rows.get(code) ?? errors.internal_error
}

/** The error of an envelope; `name` is beside the code for session errors (`APP_…`). */
export interface ErrorBody {
  /** The code to branch on. */
  readonly code: string
  /** What went wrong; sentences may change. */
  readonly message: string
  /** The name of a session error. */
  readonly name?: string
  /** More about it: `hint`, `retriable`, `path` and others. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** The one exception of the server side: thrown anywhere, translated into an envelope by dispatch alone. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, message?: string, details?: Readonly<Record<string, unknown>>) {
    super(message ?? errors[code].sentence)
    this.code = code
    this.details = details
  }
}

/** Makes the exception to throw: `throw refuse('invalid_arg', 'limit must be 1 to 500, got 0')`. */
export function refuse(
  code: ErrorCode,
  message?: string,
  details?: Readonly<Record<string, unknown>>,
): Refusal {
  return new Refusal(code, message, details)
}

/**
 * Makes the exception for one argument: `throw wrongArg('limit', 'must be 1 to 500, got 0')`. Its sentence begins with the
 * name, and `details.path` has it for programs: names and numbers with dots between them, `manifest.tools.0.name`.
 */
export const wrongArg = (path: string, rule: string, details?: Readonly<Record<string, unknown>>): Refusal =>
  refuse('invalid_arg', `${path} ${rule}`, { ...details, path })

/** What is in `error` for a refusal: `details.retriable` marks the retryable codes, session errors carry their number. */
export function errorBody(refusal: Refusal): ErrorBody {
  const row: ErrorRow = errors[refusal.code]
  const named = refusal.code.startsWith('APP_') || refusal.code === 'session_expired'
  const details = {
    ...(row.retryable && { retriable: true }),
    ...(row.rpcCode !== undefined && { rpc_code: row.rpcCode }),
    ...(named && { http_status: row.status }),
    ...refusal.details,
  }
  return {
    code: refusal.code,
    message: refusal.message,
    ...(named && { name: refusal.code }),
    ...(Object.keys(details).length > 0 && { details }),
  }
}
