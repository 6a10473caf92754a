import type { Limits } from '@svc/contract'
import { ToolError } from './tool-error.ts'

/** Opens the count of how many tools the model of one run may still call. */
export function openCallCaps({
  RUN_TOOL_CALLS_MAX: ofRun,
  RUN_TOOL_CALLS_PER_STEP: ofStep,
}: Pick<Limits, 'RUN_TOOL_CALLS_MAX' | 'RUN_TOOL_CALLS_PER_STEP'>) {
  let inRun = 0
  let inStep = 0
  return {
    /** Counts a call. Throws a `ToolError` where the run or its step has had as many as it may. */
    countCall(): void {
      if (inRun >= ofRun) throw tooMany('run', ofRun)
      if (inStep >= ofStep) throw tooMany('step', ofStep)
      inRun += 1
      inStep += 1
    },
    /** The next step begins. */
    step(): void {
      inStep = 0
    },
    /** Whether the run has had all of its calls: then its step is the last. */
    isFull: (): boolean => inRun >= ofRun,
  }
}

export type CallCaps = ReturnType<typeof openCallCaps>

const tooMany = (what: 'run' | 'step', max: number) =>
  new ToolError('rate_limited', `a ${what} may have ${max} tool calls; this one was not made`)
