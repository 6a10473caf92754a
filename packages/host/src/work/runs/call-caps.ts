import type { Limits } from '@svc/contract'
import { ToolError } from './tool-set.ts'

/** How many tools the model of one run may still call. */
export interface CallCaps {
  /** Counts a call. Throws a `ToolError` where the run or its step has had as many as it may. */
  hold(): void
  /** The next step begins. */
  step(): void
  /** Whether the run has had all of its calls: then its step is the last. */
  isFull(): boolean
}

/** Opens the caps of a run. */
export function openCallCaps({
  RUN_TOOL_CALLS_MAX: ofRun,
  RUN_TOOL_CALLS_PER_STEP: ofStep,
}: Pick<Limits, 'RUN_TOOL_CALLS_MAX' | 'RUN_TOOL_CALLS_PER_STEP'>): CallCaps {
  let inRun = 0
  let inStep = 0
  return {
    hold() {
      if (inRun >= ofRun) throw tooMany('run', ofRun)
      if (inStep >= ofStep) throw tooMany('step', ofStep)
      inRun += 1
      inStep += 1
    },
    step() {
      inStep = 0
    },
    isFull: () => inRun >= ofRun,
  }
}

const tooMany = (what: 'run' | 'step', max: number) =>
  new ToolError('rate_limited', `a ${what} may have ${max} tool calls; this one was not made`)
