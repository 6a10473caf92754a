import { type LineError, REFUSED } from '@svc/contract/stdio'

/** What came with an error of the host: its name, and what more there is to know. */
export interface HostErrorData {
  /** The name of the error, such as `quota_exceeded`. */
  readonly name: string
  /** More about it: `hint`, `retriable` and others. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A request of this plugin that the host refused, or that ended without an answer. Branch on `name`. */
export class HostError extends Error {
  /** A code of the table of errors: `permission_denied`, `APP_SESSION_EXPIRED`, `cancelled` … */
  override readonly name: string
  /** The JSON-RPC number of a session error (`APP_…`), else -32000. */
  readonly code: number
  /** The name of the error, and more about it. */
  readonly data: HostErrorData

  constructor(message: string, data: HostErrorData, code: number = REFUSED) {
    super(message)
    this.name = data.name
    this.code = code
    this.data = data
  }
}

/** The error that a line carries. */
export function hostErrorOf({ code, message, data }: Partial<LineError>): HostError {
  const given = (typeof data === 'object' && data !== null ? data : {}) as Partial<HostErrorData>
  const name = typeof given.name === 'string' ? given.name : 'internal_error'
  return new HostError(String(message ?? name), { ...given, name }, typeof code === 'number' ? code : REFUSED)
}
