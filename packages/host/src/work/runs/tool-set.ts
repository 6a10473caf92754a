import type { Limits } from '@svc/contract'
import { jsonSchema, type ToolSet, tool } from 'ai'
import type { WorkServices } from '../services.ts'
import type { SessionTool } from '../sessions/session-tools.ts'

/** A tool call failed: the text for the model, and the frame for the app. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly told: { readonly code: string; readonly message: string }

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.told = { code, message }
  }
}

/** The tools of a session as the AI SDK takes them; `countCall` throws a `ToolError` where no more may be called. The host judges arguments where it calls the tool, and nowhere else. */
export function toolSet(
  { log }: Pick<WorkServices, 'log'>,
  tools: readonly SessionTool[],
  countCall: () => void,
): ToolSet {
  return Object.fromEntries(
    tools.map((one) => [
      one.name,
      tool({
        description: one.description,
        inputSchema: jsonSchema(one.inputSchema),
        async execute(args: unknown, { abortSignal }) {
          countCall()
          const signal = abortSignal ?? new AbortController().signal
          const answer = await one.call(args, signal).catch((err: unknown) => {
            if (!signal.aborted) log.error({ err, tool: one.name }, 'a tool of a run broke')
            throw new ToolError('internal_error', 'the tool failed; the error has been logged')
          })
          if ('error' in answer) throw new ToolError(answer.error.code, answer.error.message)
          return answer.output
        },
      }),
    ]),
  )
}

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

const tooMany = (what: 'run' | 'step', max: number) =>
  new ToolError('rate_limited', `a ${what} may have ${max} tool calls; this one was not made`)
