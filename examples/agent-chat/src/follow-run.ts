import type { Frame, Run, RunEnd } from '@svc/sdk'
import type { Answer } from './message.ts'

const waits: Partial<Record<Frame['event'], string>> = {
  queued: 'Waiting for its turn …',
  started: 'Thinks …',
}

/**
 * Shows a run from its beginning until it is over, or cannot be read here any further: a handle keeps all frames,
 * whoever comes when, and tells its listeners frame by frame, so that texts and tool calls stand in their order.
 */
export const followRun = (run: Run, answer: Answer): Promise<Pick<RunEnd, 'aborted' | 'error'>> =>
  new Promise((resolve) => {
    run.on('frame', ({ event }) => {
      const state = waits[event]
      if (state !== undefined) answer.wait(state)
    })
    run.on('text', answer.say)
    run.on('tool_call', ({ id, function: called }) => answer.call(id, called.name, called.arguments))
    run.on('tool_result', (result) => answer.result(result.tool_call_id, result))
    run.on('end', ({ aborted, error, finishReason }) => {
      if (aborted) answer.mark('Cut off here.')
      else if (finishReason === 'length') answer.mark('Cut off here: the answer reached its token limit.')
      if (error) answer.fail(error)
      resolve({ aborted, error })
    })
    // The run may go on: its place stays stored, and the next document attaches to it.
    run.on('lost', (error) => {
      answer.fail(error)
      resolve({ aborted: false, error })
    })
  })
