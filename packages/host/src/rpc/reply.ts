import { errorBody, errorRow, errorText, type Refusal, refuse } from '@svc/contract'
import type { Served } from './desk.ts'

/** What goes out: one text, or the answers to an array body, each when it is ready; none of them rejects. */
export type Reply =
  | { readonly status: number; readonly text: string }
  | { readonly status: 200; readonly answers: readonly (string | Promise<string>)[] }

/** A refusal in the envelope of the RPC route, under the id of its call or, where that was not read, none (decision 31). */
export function refusal(refused: Refusal, { status = errorRow(refused.code).status, id = '' } = {}): Reply {
  return { status, text: errorText(id, errorBody(refused)) }
}

/** The refusal of a body over its cap (decision 31). */
export const tooLarge = (maxBytes: number): Reply =>
  refusal(refuse('invalid_arg', `the body must have at most ${maxBytes} bytes`, { max: maxBytes }), {
    status: 413,
  })

/** The answer of one call with the status of its code. */
export const replyOf = ({ code, text }: Served): Reply => ({
  status: code === 'ok' ? 200 : errorRow(code).status,
  text,
})
