import { jsonSchema, type ToolSet, tool } from 'ai'
import type { WorkServices } from '../services.ts'
import type { SessionTool } from '../sessions/session-tools.ts'
import { ToolError } from './tool-error.ts'
import { modelOutput } from './tool-output.ts'

/**
 * The tools of a session as the AI SDK takes them; `countCall` throws a `ToolError` where no more may be called, `exactly`
 * returns the arguments of a call with all digits, `vision`: the model sees images. The host judges arguments where it
 * calls the tool, and nowhere else.
 */
export function toolSet(
  { log }: Pick<WorkServices, 'log'>,
  tools: readonly SessionTool[],
  countCall: () => void,
  exactly: (toolCallId: string, args: unknown) => unknown,
  vision: boolean,
): ToolSet {
  return Object.fromEntries(
    tools.map((one) => [
      one.name,
      tool({
        description: one.description,
        ...(one.short !== undefined && { providerOptions: { svc: { short: one.short, own: one.name } } }),
        inputSchema: jsonSchema(one.inputSchema),
        async execute(args: unknown, { abortSignal, toolCallId }) {
          countCall()
          const signal = abortSignal ?? new AbortController().signal
          const answer = await one.call(exactly(toolCallId, args), signal).catch((err: unknown) => {
            if (!signal.aborted) log.error({ err, tool: one.name }, 'a tool of a run broke')
            throw new ToolError('internal_error', 'the tool failed; the error has been logged')
          })
          if ('error' in answer) throw new ToolError(answer.error.code, answer.error.message)
          return answer.output
        },
        toModelOutput: ({ output }) => modelOutput(output, vision),
      }),
    ]),
  )
}
