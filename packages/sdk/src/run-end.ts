import type { Chunk, ChunkDelta, ErrorBody, Frame, Usage, Withheld } from '@svc/contract/client'
import { HostRpcError } from './errors.ts'

/** How a run ended; of one that was read to its end. */
export interface RunEnd {
  /** All that it said; cut off where it was cancelled or failed. */
  readonly text: string
  /** Whether it was cancelled. */
  readonly aborted: boolean
  /** Why the text ends: `stop`, or `length` where it is cut at the most tokens; `null` where no model told. */
  readonly finishReason: Chunk['choices'][0]['finish_reason']
  /** More about its end; only where text is missing, for a filter withheld it or the model refused. */
  readonly details?: {
    /** Why it is missing. */
    readonly stop_reason: Withheld
  }
  /** The tokens that it took in all, where the host told. */
  readonly usage: Usage | undefined
  /**
   * How many of the oldest turns of its session the model was not given, because they did not fit; left out where it
   * had all.
   */
  readonly droppedTurns?: number
  /** Why it failed; `details` has `runId`, and the text as `text`. */
  readonly error: HostRpcError | undefined
}

/** The last news of a run: how it ended, or why the rest of its frames cannot be read. */
export type LastNews = { readonly end: RunEnd } | { readonly lost: HostRpcError }

/** What is new of a run. */
export type News = Frame | LastNews

/** What one frame adds. */
export const deltaOf = (frame: Frame): ChunkDelta =>
  (frame.event === 'sse' && frame.data.choices[0]?.delta) || {}

/** The error with what it is about: the run, and what was said until then. */
const ofRun = ({ code, message, name, details }: ErrorBody, about: Readonly<Record<string, unknown>>) =>
  new HostRpcError({ code, message, ...(name && { name }), details: { ...details, ...about } })

/** Puts the last news of a run together from its frames; `failure` is why there are no more of them. */
export function lastNews(runId: string, frames: readonly Frame[], failure?: ErrorBody): LastNews {
  let text = ''
  let aborted = false
  let finishReason: RunEnd['finishReason'] = null
  let usage: Usage | undefined
  let details: RunEnd['details']
  let droppedTurns: number | undefined
  let error: ErrorBody | undefined
  for (const frame of frames) {
    const { content = '', task_cancelled, task_complete } = deltaOf(frame)
    text += content
    if (task_cancelled) aborted = true
    if (task_complete) {
      details = task_complete.details
      droppedTurns = task_complete.dropped_turns
      const { prompt_tokens, completion_tokens, total_tokens } = task_complete.token_usage
      usage = { inputTokens: prompt_tokens, outputTokens: completion_tokens, totalTokens: total_tokens }
    }
    if (frame.event === 'sse') finishReason = frame.data.choices[0]?.finish_reason ?? finishReason
    if (frame.event === 'error') {
      const { errorCode: code, message, details = {} } = frame
      error = { code, message, details, ...(code.startsWith('APP_') && { name: code }) }
    }
  }
  if (failure) return { lost: ofRun(failure, { runId, text, lost: true }) }
  return {
    end: {
      text,
      aborted,
      finishReason,
      ...(details && { details }),
      usage,
      ...(droppedTurns !== undefined && { droppedTurns }),
      error: error && ofRun(error, { runId, text }),
    },
  }
}
