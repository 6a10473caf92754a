import type { ErrorBody, RpcResponse } from '@svc/contract/client'

/** A call on its way to the host, its arguments as JSON text. */
export interface Call {
  readonly id: string
  readonly ns: string
  readonly method: string
  readonly args: string
  /** Takes the envelope's text; called once at most. */
  answer(text: string): void
}

/**
 * The text of a call's envelope. The arguments come first: were a text too long to be checked to say
 * `window_uuid` once more, the page's own fields after it win.
 */
export const envelopeText = ({ id, ns, method, args }: Call, windowUuid: string): string =>
  `{"args":${args},${JSON.stringify({ id, window_uuid: windowUuid, ns, method }).slice(1)}`

/** The id that an answer begins with (the host writes it first), or `undefined` where the text is no answer. */
export const idOf = (text: string): string | undefined => /^\{"id":"([^"]*)"/.exec(text)?.[1]

/**
 * The answer under the id of its call: a refusal made before the body was read carries `""`
 * (docs/decisions/0003-envelope-and-id.md).
 */
export function withId(text: string, id: string): string | undefined {
  const found = idOf(text)
  if (found === id) return text
  return found === '' ? text.replace('""', `"${id}"`) : undefined
}

/** The text of a failure that the page makes itself. */
export const failureText = (id: string, { code, message, details }: ErrorBody): string =>
  JSON.stringify({ id, ok: false, error: { code, message, details } })

/** The text of a call's end without an answer. */
export const resetText = (id: string): string =>
  failureText(id, {
    code: 'bridge_reset',
    message: 'no answer will come; the call may have run',
  })

/**
 * An answer, parsed: only those to the page's own calls, and refusals for the page to show. A text that is no envelope,
 * and a refusal without its error, read as `internal_error`.
 */
export function readResponse(text: string): RpcResponse {
  try {
    const response = JSON.parse(text) as RpcResponse
    if (response.ok || response.error.code) return response
  } catch {}
  return { id: '', ok: false, error: { code: 'internal_error', message: 'the answer is no envelope' } }
}

/** Whether an answer refuses its call. */
export const isRefusal = (text: string, id: string): boolean => text.startsWith(`{"id":"${id}","ok":false`)
