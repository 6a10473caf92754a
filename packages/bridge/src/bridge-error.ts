import type { ErrorBody } from '@svc/contract/client'

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

/** A call of the app that was refused, for the page to show. */
export interface RefusedCall extends ErrorBody {
  /** The namespace of the method, such as `storage`. */
  readonly ns: string
  /** The method, such as `get`. */
  readonly method: string
  /** What the reader can do about it, where the host says so. */
  readonly hint?: string | undefined
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

/** Whether an answer is of a type; what the host answers is, and a page of a proxy is not. */
export const isOf = ({ headers }: Pick<Response, 'headers'>, type: string): boolean =>
  !!headers.get('content-type')?.startsWith(type)

/** What answered, and no host: something on the way to it. What it refused for good is not worth trying again. */
export function notTheHost(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  url: string,
): BridgeError {
  const details = { http_status: status, url }
  if (status === 200 && !isOf({ headers }, 'text/html'))
    return unreachable(`the answer of ${url} is not whole`)
  const said = `what answered at ${url} is not the host: ${status ? `HTTP ${status}` : 'it led elsewhere'}`
  if (status === 401) return failure('invalid_token', said, details)
  if (status === 413) return failure('frame_too_large', `${said}, it takes no body of this size`, details)
  if (status === 429)
    return failure('rate_limited', said, {
      ...details,
      retriable: true,
      retry_after_ms: 1_000 * (Number(headers.get('retry-after')) || 1),
    })
  return failure('host_unreachable', said, { ...details, retriable: status >= 500 })
}

/** Whatever was thrown, as an error of the bridge. */
export const asBridgeError = (error: unknown): BridgeError =>
  error instanceof BridgeError ? error : unreachable(error instanceof Error ? error.message : String(error))
