import { type ErrorCode, errors, type Frame, refuse } from '@svc/contract'
import type { PluginFinal, PluginFrame, PluginRun } from '@svc/contract/stdio'
import type { RunOwner, StreamIds } from '../runs/runs.ts'
import type { WorkServices } from '../services.ts'

/**
 * Waits for a run and gives what it said; `signal` cancels it. A run that was cancelled gives what came
 * until then, flagged. Errors: that of its `error` frame; `cancelled`, by `signal`.
 */
export async function bufferedRun(
  { runs }: Pick<WorkServices, 'runs'>,
  owner: RunOwner,
  { stream_id, run_id }: StreamIds,
  signal: AbortSignal,
): Promise<PluginRun> {
  const said: PluginFrame[] = []
  let end: Partial<PluginFinal> = {}
  try {
    for await (const { payload } of runs.frames(stream_id, 0, signal)) {
      const frame: Frame = JSON.parse(payload)
      if (frame.event === 'error')
        throw refuse(codeOf(frame.errorCode), frame.message, { ...frame.details, run_id, stream_id })
      if (frame.event !== 'sse') continue
      const { content, task_complete, task_cancelled } = frame.data.choices[0]?.delta ?? {}
      if (content) said.push({ event: 'delta', text: content })
      if (task_complete) end = { usage: task_complete.token_usage }
      if (task_cancelled) end = { aborted: true }
    }
    signal.throwIfAborted()
  } catch (error) {
    if (!signal.aborted) throw error
    await runs.cancel(owner, run_id)
    throw refuse('cancelled', 'the call of this run has ended', { run_id, stream_id })
  }
  const final: PluginFinal = { event: 'final', text: said.map(({ text }) => text).join(''), ...end }
  return { run_id, stream_id, frames: [...said, final], final }
}

const codeOf = (code: string): ErrorCode =>
  Object.hasOwn(errors, code) ? (code as ErrorCode) : 'internal_error'
