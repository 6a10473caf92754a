import { errorBody, errorRow, errorText, type Refusal, refuse } from '@svc/contract'
import { hostClosing } from '../../kernel/leaving.ts'
import type { Reader } from '../../kernel/limiter/unread.ts'
import { type MaybePromise, when } from '../../kernel/when.ts'
import type { CallAnswer } from './dispatch.ts'

const SECOND_MS = 1_000

/** What goes out: one text, or the answers to an array body, each when it is ready; none of them rejects. */
export type Reply =
  | {
      readonly status: number
      readonly text: string
      /** The same in parts, where it is long and was written so. */
      readonly parts?: readonly string[] | undefined
      readonly retryAfterMs?: number | undefined
      /** Whether it is a refusal for a rate: those of one address go out at a rate themselves. */
      readonly isRateLimited?: boolean
    }
  | { readonly status: 200; readonly answers: readonly MaybePromise<string>[] }

/** One text. */
export type TextReply = Extract<Reply, { readonly text: string }>

/** A refusal in the envelope of the RPC route, under the id of its call or, where that was not read, none. */
export function refusal(
  refused: Refusal,
  { status = errorRow(refused.code).status, id = '' } = {},
): TextReply {
  return {
    status,
    text: errorText(id, errorBody(refused)),
    retryAfterMs: retryAfterOf(refused),
    isRateLimited: refused.code === 'rate_limited',
  }
}

/** After how many ms a refused request has a chance, where its refusal says so. */
export const retryAfterOf = ({ details }: Refusal): number | undefined =>
  typeof details?.retry_after_ms === 'number' ? details.retry_after_ms : undefined

/** The headers that say it, in whole seconds, as HTTP has them. */
export const retryHeaders = (ms: number | undefined): Record<string, string> =>
  ms === undefined ? {} : { 'retry-after': String(Math.ceil(ms / SECOND_MS)) }

/** The refusal of a body that a closing host does not read. */
export const closingReply = (): TextReply => refusal(hostClosing())

/** The refusal of a body over its cap. */
export const tooLarge = (maxBytes: number): TextReply =>
  refusal(refuse('invalid_arg', `the body must have at most ${maxBytes} bytes`, { max: maxBytes }), {
    status: 413,
  })

/** The answer of one call with the status of its code. */
export const replyOf = ({ code, text, parts, retryAfterMs }: CallAnswer): Reply => ({
  status: code === 'ok' ? 200 : errorRow(code).status,
  text,
  parts,
  retryAfterMs,
  isRateLimited: code === 'rate_limited',
})

/** Calls `fn` when texts have waited long enough for others; it returns a function that cancels this. */
type WaitForMore = (fn: () => void) => () => void

/**
 * The answers to an array body as lines, in the order in which they become ready. A text waits for others as long as
 * `patience` allows, or until none is missing: a write and its reading cost more than an answer. Its
 * `reader` took a text when it asks for the next one.
 */
export async function* asReady(
  answers: readonly MaybePromise<string>[],
  patience: WaitForMore,
  reader: Reader,
): AsyncGenerator<string> {
  let ready = ''
  let left = answers.length
  let stop: (() => void) | undefined
  let due = false
  let leave: () => void = () => {}
  const wake = () => {
    due = true
    leave()
  }
  const take = (text: string) => {
    reader.owe(text.length + 1)
    ready += `${text}\n`
    left -= 1
    if (left === 0) wake()
    else stop ??= patience(wake)
  }
  for (const answer of answers) void when(answer, take)
  try {
    while (left > 0) {
      if (!due)
        await new Promise<void>((resolve) => {
          leave = resolve
        })
      stop?.()
      stop = undefined
      due = false
      const text = ready
      ready = ''
      yield text
      reader.took(text.length)
    }
    if (ready !== '') yield ready
  } finally {
    stop?.()
    reader.end()
  }
}
