import type { Chunk, ChunkDelta, ErrorBody, Frame, Usage } from '@svc/contract'
import { HostRpcError } from './errors.ts'

/** How a run ended. */
export interface RunEnd {
  /** All that it said; cut off where it was cancelled or failed. */
  readonly text: string
  /** Whether it was cancelled. */
  readonly aborted: boolean
  /** Why the text ends: `stop`, or `length` where it is cut at the most tokens; `null` where no model told. */
  readonly finishReason: Chunk['choices'][0]['finish_reason']
  /** The tokens that it took in all, where the host told. */
  readonly usage: Usage | undefined
  /** Why it failed, or why the rest of its frames cannot be read; `details` has `runId`, and the text as `text`. */
  readonly error: HostRpcError | undefined
}

/** What one frame adds. */
export const deltaOf = (frame: Frame): ChunkDelta =>
  (frame.event === 'sse' && frame.data.choices[0]?.delta) || {}

/** The error with what it is about: the run, and what was said until then. */
const ofRun = ({ code, message, name, details }: ErrorBody, runId: string, text: string): HostRpcError =>
  new HostRpcError({ code, message, ...(name && { name }), details: { ...details, runId, text } })

/** Puts together how a run ended from its frames; `failure` is why there are no more of them. */
export function runEnd(runId: string, frames: readonly Frame[], failure?: ErrorBody): RunEnd {
  let text = ''
  let aborted = false
  let finishReason: RunEnd['finishReason'] = null
  let usage: Usage | undefined
  let error: ErrorBody | undefined
  for (const frame of frames) {
    const { content = '', task_cancelled, task_complete } = deltaOf(frame)
    text += content
    if (task_cancelled) aborted = true
    if (task_complete) {
      const { prompt_tokens, completion_tokens, total_tokens } = task_complete.token_usage
      usage = { inputTokens: prompt_tokens, outputTokens: completion_tokens, totalTokens: total_tokens }
    }
    if (frame.event === 'sse') finishReason = frame.data.choices[0]?.finish_reason ?? finishReason
    if (frame.event === 'error') {
      const { errorCode: code, message } = frame
      error = { code, message, ...(code.startsWith('APP_') && { name: code }) }
    }
  }
  error ??= failure
  return { text, aborted, finishReason, usage, error: error && ofRun(error, runId, text) }
}
