import { type ErrorCode, refuse } from '@svc/contract/errors'
import { isSubcall, JSONRPC, type LineError, type LineId, refusalError } from '@svc/contract/stdio'

/** What is known of a plugin's own request before all of it is read. */
export interface RequestHead {
  readonly id?: unknown
  readonly method?: unknown
}

const METHOD_NOT_FOUND = -32_601

/** The line that answers a request with an error; one whose id is none is answered to `null`. */
export const errorLine = ({ id }: RequestHead, error: LineError): string =>
  JSON.stringify({ jsonrpc: JSONRPC, id: isLineId(id) ? id : null, error })

/** The line that refuses a request with a code of the table. */
export const refusedLine = (
  request: RequestHead,
  code: ErrorCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): string => errorLine(request, refusalError(refuse(code, message, details)))

/** Whether something can name a request. */
export const isLineId = (id: unknown): id is LineId => typeof id === 'string' || typeof id === 'number'

// Made once: a plugin that floods gets them by the thousand.
const unknown: LineError = { code: METHOD_NOT_FOUND, message: 'there is no such request' }
const unasked = refusalError(
  refuse('permission_denied', 'no call is in progress that may send requests', {
    hint: 'A plugin that lists host_capabilities in describe gets a sampling_token with its calls.',
  }),
)

/** The line that refuses a request where the plugin has none to make, known by name or not. */
export const refuseRequest = (request: RequestHead): string =>
  errorLine(request, isSubcall(request.method) ? unasked : unknown)
