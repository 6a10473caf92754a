import { isUtf8 } from 'node:buffer'
import { isDeeper, type Limits, type Refusal, refuse } from '@svc/contract'
import { isArray, itemsOf } from './items.ts'

/** One call of a body, parsed, or why it is not looked at. */
export type Part = { readonly call: unknown } | { readonly problem: string }

/** A parsed body: one call, or the array form, each of whose calls is judged by itself (design §7). */
export type Body = { readonly one: Part } | { readonly many: readonly Part[] }

type Caps = Pick<Limits, 'BODY_DEPTH_MAX' | 'BATCH_MAX_CALLS'>

/**
 * Reads a body (decision 31). Depth, counted from its root, and the number of calls are told from the bytes:
 * what is too deep or too many is never parsed. Of an array with a call that is too deep the others are parsed
 * one by one; where one of them is no JSON, the body is none. Errors: `invalid_arg`.
 */
export function readBody(bytes: Buffer, caps: Caps): Body {
  if (!isUtf8(bytes)) throw notUtf8()
  if (isArray(bytes)) return { many: readCalls(bytes, caps) }
  if (isDeeper(bytes, caps.BODY_DEPTH_MAX)) throw refuse('invalid_arg', depthProblem(caps))
  return { one: { call: parse(bytes.toString('utf8')) } }
}

function readCalls(bytes: Buffer, caps: Caps): Part[] {
  const max = caps.BATCH_MAX_CALLS
  const items = itemsOf(bytes, caps.BODY_DEPTH_MAX, max)
  if (!items) throw notJson()
  if (items.length === 0 || items.length > max)
    throw refuse(
      'invalid_arg',
      `an array of calls must have 1 to ${max}, got ${items.length === 0 ? 'none' : 'more'}`,
    )
  if (!items.some(({ deep }) => deep)) {
    const calls = parse(bytes.toString('utf8'))
    if (Array.isArray(calls)) return calls.map((call) => ({ call }))
    throw notJson()
  }
  const problem = depthProblem(caps)
  return items.map(({ from, to, deep }) =>
    deep ? { problem } : { call: parse(bytes.toString('utf8', from, to)) },
  )
}

/** What is wrong with a body that is too deep. */
export const depthProblem = ({ BODY_DEPTH_MAX }: Pick<Caps, 'BODY_DEPTH_MAX'>): string =>
  `the body must nest at most ${BODY_DEPTH_MAX} levels deep`
/** The refusal of bytes that are no text. */
export const notUtf8 = (): Refusal => refuse('invalid_arg', 'the body must be UTF-8')
/** The refusal of text that is no JSON. */
export const notJson = (): Refusal => refuse('invalid_arg', 'the body must be JSON')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}
