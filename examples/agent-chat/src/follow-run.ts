import type { Frame, Run, RunEnd } from '@svc/sdk'
import type { Answer } from './message.ts'

const waits: Partial<Record<Frame['event'], string>> = {
  queued: 'Waits for its turn …',
  started: 'Thinks …',
}

/**
 * Shows a run until it is over, from its beginning: a handle keeps all frames, whoever comes when. One listener for
 * all of them, so that texts and tool calls stand in the order in which the model made them.
 */
export const followRun = (run: Run, answer: Answer): Promise<RunEnd> =>
  new Promise((resolve) => {
    run.on('frame', (frame) => showFrame(frame, answer))
    run.on('end', (end) => {
      if (end.aborted) answer.mark('Cut off here.')
      else if (end.finishReason === 'length') answer.mark('Cut off here: the answer may have no more tokens.')
      if (end.error) answer.fail(end.error)
      resolve(end)
    })
  })

function showFrame(frame: Frame, answer: Answer): void {
  const state = waits[frame.event]
  if (state !== undefined) answer.wait(state)
  if (frame.event !== 'sse') return
  const { content, tool_calls = [], tool_result } = frame.data.choices[0]?.delta ?? {}
  if (content) answer.say(content)
  for (const { id, function: called } of tool_calls) answer.call(id, called.name, called.arguments)
  if (tool_result) answer.result(tool_result.tool_call_id, tool_result)
}
