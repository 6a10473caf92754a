import { jsonSchema, type ToolSet, tool } from 'ai'
import type { WorkServices } from '../services.ts'
import type { SessionTool } from '../sessions/session-tools.ts'
import { ToolError } from './tool-error.ts'

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
