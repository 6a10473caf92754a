import type { ErrorBody } from '@svc/contract/client'
import { errorDocs } from '@svc/contract/error-docs'
import type { ClientErrorCode } from '@svc/contract/wire'

/** Codes that the client itself makes, besides those of the table of errors. */
export type OwnCode = ClientErrorCode | 'cancelled' | 'invalid_arg' | 'internal_error'

/**
 * What every failed call rejects with, or a wait for a job or run. Branch on `code`, or on `name` for session errors
 * (`APP_…`); never on the message.
 *
 * @example
 * ```ts
 * try {
 *   await svc.storage.set({ key: 'note', value, if_match: etag })
 * } catch (error) {
 *   if (!isHostRpcError(error) || error.code !== 'precondition_failed') throw error
 *   showConflict(error.details.etag)
 * }
 * ```
 */
export class HostRpcError extends Error {
  /** The brand that `isHostRpcError` reads: two copies of the SDK in one document know each other's errors. */
  readonly isHostRpcError = true
  /** `HostRpcError`, or the name of a session error, such as `APP_SESSION_EXPIRED`. */
  declare readonly name: string
  /** The code to branch on, such as `permission_denied`. */
  declare readonly code: string
  /** More about it, by code: `jobId`, `etag`, `denied_by` and others. */
  declare readonly details: Readonly<Record<string, unknown>>
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean
  /** What the reader can do about it, where that is known. */
  declare readonly hint: string | undefined
  /**
   * Where the docs have the section about the code, for developers: a URL if the release named the docs site, else a
   * path in the repository of svc.
   */
  declare readonly docs: string

  constructor({ code, message, name = 'HostRpcError', details = {} }: ErrorBody) {
    super(message)
    const { hint, retriable } = details
    this.name = name
    this.code = code
    this.details = details
    this.retryable = retriable === true
    if (typeof hint === 'string') this.hint = hint
    // Of a host that is too old to give a hint.
    else if (code === 'not_implemented') this.hint = 'Check with svc.supports(name).'
    this.docs = errorDocs(code)
  }
}

/** Tells an error of a call from any other, whichever copy of the SDK made it. */
export const isHostRpcError = (error: unknown): error is HostRpcError =>
  typeof error === 'object' && error !== null && (error as HostRpcError).isHostRpcError === true

/** The codes that say nothing of what was asked about, besides those marked as retryable. */
const passing: ReadonlySet<string> = new Set(['timeout', 'bridge_reset', 'internal_error'])

/** Whether a call that failed so may succeed when it is made again. */
export const isRetryable = (error: unknown): boolean =>
  isHostRpcError(error) && (error.retryable || passing.has(error.code))

/** An error that the client makes itself. */
export const ownError = (code: OwnCode, message: string, details: ErrorBody['details'] = {}): HostRpcError =>
  new HostRpcError({ code, message, details })

/** The refusal of an argument that the client itself cannot use. */
export const wrongArg = (name: string, rule: string, got: unknown): HostRpcError =>
  ownError(
    'invalid_arg',
    `${name} must be ${rule}, got ${typeof got === 'string' ? JSON.stringify(got) : String(got)}`,
  )
