import type { Limits } from '@svc/contract'
import { ModelFailure } from '../failure.ts'
import type { AskOptions } from '../part-reader.ts'
import { type Measured, measure } from './measure.ts'
import { withoutUnanswered } from './unanswered.ts'

/** Requests that may be refused before a call is given up: each is a half of the one before, or knows the limit. */
const REFUSED_MAX = 6
/** The share of a context that is kept for the answer, where the answer may be as long. */
const ANSWER_SHARE = 4
/** The fewest tokens of an answer that are worth asking for. */
const ANSWER_MIN_TOKENS = 16
/** How much less text fits than was thought, where a server refuses what should have fitted. */
const TIGHTER = 0.75

/** The status of a body that is too large. */
const TOO_LARGE = 413

/** A request that was made to fit. */
interface Fitted {
  readonly options: AskOptions
  /** The oldest turns that were left out. */
  readonly dropped: number
  /** What it may come to, in tokens: the text, and its answer. */
  readonly tokens: number
  readonly answerTokens: number
  readonly bytes: number
}

/**
 * Opens what makes requests fit into the context of a model, `context` in tokens: `null` where nobody said how long it is.
 * Its length is learnt from the first refusal, for as long as the process lives.
 */
export function openFit(
  name: string,
  { TOKEN_BYTES }: Pick<Limits, 'TOKEN_BYTES'>,
  given: number | null,
  onLearnt: (context: number) => void,
) {
  let context = given
  /** Bytes of text in a token, as the server counts. */
  let tokenBytes: number = TOKEN_BYTES

  /** The newest turns that fit, with room for an answer; all where no turn may be left out. */
  function fitTo(options: AskOptions, measured: Measured, max: number): Fitted {
    const wanted = options.maxOutputTokens ?? 0
    const room = (max - Math.min(wanted, Math.floor(max / ANSWER_SHARE))) * tokenBytes
    let bytes = measured.fixedBytes
    let first = measured.turns.length
    while (first > 0 && (!options.onDropped || bytes + (measured.turns[first - 1]?.bytes ?? 0) <= room)) {
      first -= 1
      bytes += measured.turns[first]?.bytes ?? 0
    }
    const tokens = Math.ceil(bytes / tokenBytes)
    const answerTokens = Math.min(wanted, Math.max(ANSWER_MIN_TOKENS, max - tokens))
    const kept = measured.turns.slice(first).flatMap(({ messages }) => messages)
    return {
      options: {
        ...options,
        prompt: [...measured.system, ...kept, ...measured.newest],
        ...(wanted > 0 && { maxOutputTokens: answerTokens }),
      },
      dropped: first,
      tokens,
      answerTokens,
      bytes,
    }
  }

  /** The next request after one that was refused; `null`: no shorter one is left. */
  function shorter(
    options: AskOptions,
    measured: Measured,
    last: Fitted,
    { details }: ModelFailure,
  ): Fitted | null {
    const [limit, asked] = [numberOf(details?.max), numberOf(details?.used)]
    if (asked !== null) tokenBytes = Math.max(1, Math.min(last.bytes / asked, 2 * TOKEN_BYTES))
    const max = limit ?? Math.floor((last.tokens + last.answerTokens) / 2)
    // Where a body has too many bytes, a shorter answer is no help.
    const isOfBytes = details?.status === TOO_LARGE && limit === null
    const isShorter = (next: Fitted) =>
      next.dropped > last.dropped || (!isOfBytes && next.answerTokens < last.answerTokens)
    let next = fitTo(options, measured, max)
    if (!isShorter(next) && limit !== null) {
      tokenBytes = Math.max(1, tokenBytes * TIGHTER)
      next = fitTo(options, measured, max)
    }
    if (!isShorter(next)) return null
    if (max !== context) onLearnt(max)
    context = max
    return next
  }

  /**
   * Asks with what fits. Where the model refuses that as too long, it is asked with less. Rejects as `ask` does, and
   * with `too_long` where nothing is left that may be left out.
   */
  async function askFitted<T>(options: AskOptions, ask: (options: AskOptions) => Promise<T>): Promise<T> {
    let measured: Measured | null = context === null ? null : measure(options)
    let fitted = measured && context !== null ? fitTo(options, measured, context) : null
    for (let refused = 0; ; refused += 1) {
      try {
        const answer = await ask(fitted?.options ?? options)
        if (fitted && fitted.dropped > 0) options.onDropped?.(fitted.dropped)
        return answer
      } catch (error) {
        if (!(error instanceof ModelFailure) || error.reason !== 'too_long') throw error
        measured ??= measure(options)
        const last = fitted ?? fitTo(options, measured, Number.POSITIVE_INFINITY)
        fitted = refused < REFUSED_MAX ? shorter(options, measured, last, error) : null
        if (!fitted) throw tooLong(name, error, last, options)
      }
    }
  }

  return {
    /**
     * Asks as above. Where the model refuses a conversation for something else, it may be about an earlier question that
     * was refused then: it is asked once without the turns that came to no answer.
     */
    async ask<T>(options: AskOptions, ask: (options: AskOptions) => Promise<T>): Promise<T> {
      try {
        return await askFitted(options, ask)
      } catch (error) {
        const isRefused = error instanceof ModelFailure && error.reason === 'refused'
        const answered = isRefused && options.onDropped ? withoutUnanswered(options.prompt) : null
        if (!answered) throw error
        const { prompt, dropped } = answered
        let all = dropped
        const onDropped = (turns: number) => {
          all = turns + dropped
        }
        const answer = await askFitted({ ...options, prompt, onDropped }, ask)
        options.onDropped?.(all)
        return answer
      }
    },
  }
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function tooLong(
  name: string,
  error: ModelFailure,
  { tokens, dropped }: Fitted,
  { onDropped }: AskOptions,
): ModelFailure {
  const { max, used } = error.details ?? {}
  const limit = typeof max === 'number' ? `It takes ${max} tokens with its answer, and ` : ''
  const size = `${limit}this has about ${typeof used === 'number' ? used : tokens} tokens`
  const way = onDropped
    ? `${dropped > 0 ? 'the turns before were left out already; ' : ''}shorten this message, or use fewer tools`
    : 'shorten the messages, or leave the oldest ones out'
  const hint = `${size}: ${way}.`
  return new ModelFailure(name, 'too_long', {
    ...error.details,
    hint: hint[0]?.toUpperCase() + hint.slice(1),
  })
}
