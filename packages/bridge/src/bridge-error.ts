import type { ErrorBody } from '@svc/contract'

/**
 * What the bridge's own methods reject with: the host's refusal, or an error of the bridge's own, `host_unreachable`,
 * `bridge_reset`, `load_failed`, `rate_limited` or `conflict`.
 *
 * @example
 * await bridge.mountWindow({ into, appId }).catch((error) => {
 *   if (error instanceof BridgeError) show(error.message, error.hint)
 * })
 */
export class BridgeError extends Error {
  /** Always `BridgeError`. */
  override readonly name = 'BridgeError'
  /** What went wrong, for a program: `not_found`, `load_failed`, … */
  declare readonly code: string
  /** Facts beside the sentence, such as `reason`, `http_status` or `retriable`. */
  declare readonly details: Readonly<Record<string, unknown>>
  /** What the reader can do about it, where the host says so. */
  declare readonly hint: string | undefined

  constructor({ code, message, details = {} }: ErrorBody) {
    super(message)
    this.code = code
    this.details = details
    this.hint = typeof details.hint === 'string' ? details.hint : undefined
  }
}

/** An error that the bridge makes itself. */
export const failure = (
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): BridgeError => new BridgeError({ code, message, details })

/** The host could not be reached, or what answered was not the host; trying again is sensible. */
export const unreachable = (why: string, details?: Readonly<Record<string, unknown>>): BridgeError =>
  failure('host_unreachable', `the host could not be reached: ${why}`, { retriable: true, ...details })

/** What answered with this status, and no answer of a host, was something on the way to it. */
export const notTheHost = (status: number, url = 'it'): BridgeError =>
  unreachable(`${url} answered HTTP ${status}`, { http_status: status })

/** Whatever was thrown, as an error of the bridge. */
export const asBridgeError = (error: unknown): BridgeError =>
  error instanceof BridgeError ? error : unreachable(error instanceof Error ? error.message : String(error))
