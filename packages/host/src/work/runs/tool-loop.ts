import type { LanguageModelV4 } from '@ai-sdk/provider'
import { isStepCount, type ModelMessage, NoSuchToolError, streamText } from 'ai'
import type { SessionTool } from '../sessions/session-tools.ts'
import type { CallCaps } from './call-caps.ts'
import type { HeldRun } from './held-run.ts'
import type { RunParts } from './runs.ts'
import { ToolError } from './tool-error.ts'
import { toolSet } from './tool-set.ts'

/** How the call of a tool ended. */
export type Outcome =
  | { readonly output: unknown }
  | { readonly error: { readonly code: string; readonly message: string } }

/** What a model and its tools are given, and who is told what comes of it. */
interface Given {
  /** A model of `tapModel`. */
  readonly model: LanguageModelV4
  readonly messages: ModelMessage[]
  readonly instructions: string | null
  readonly tools: readonly SessionTool[]
  readonly caps: CallCaps
  /** The arguments of a call as the model wrote them; `args`: what the AI SDK read of them. */
  exactly(id: string, args: unknown): unknown
  onOutcome(id: string, name: string, outcome: Outcome): void
  /** A step is over, with its tools. */
  onStep(): Promise<void>
}

/** Lets a model and its tools talk, by the loop of the AI SDK. Rejects with what failed, or when the run is to end. */
export async function runToolLoop(
  parts: RunParts,
  { order, signal }: HeldRun,
  { model, messages, instructions, tools, caps, exactly, onOutcome, onStep }: Given,
): Promise<void> {
  const { stream } = streamText({
    model,
    ...(instructions !== null && { instructions }),
    messages,
    tools: toolSet(parts, tools, caps.countCall, exactly, order.model.vision),
    stopWhen: [isStepCount(order.steps), caps.isFull],
    maxOutputTokens: order.maxOutputTokens,
    toolCallConcurrency: parts.limits.RUN_TOOL_CALLS_AT_ONCE,
    abortSignal: signal,
    // A model of `openModels` asks again by itself before the first token, and nobody may after it.
    maxRetries: 0,
    onError: () => {},
  })
  const invalid = new Map<string, Outcome>()
  for await (const part of stream) {
    if (part.type === 'tool-call' && part.invalid) invalid.set(part.toolCallId, refusal(part))
    else if (part.type === 'tool-result') onOutcome(part.toolCallId, part.toolName, { output: part.output })
    else if (part.type === 'tool-error')
      onOutcome(part.toolCallId, part.toolName, invalid.get(part.toolCallId) ?? failure(part.error))
    else if (part.type === 'finish-step') await onStep()
    else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') signal.throwIfAborted()
  }
}

/** A call that never reached a tool. */
function refusal({ toolName, error }: { readonly toolName: string; readonly error?: unknown }): Outcome {
  const name = JSON.stringify(toolName)
  return NoSuchToolError.isInstance(error)
    ? { error: { code: 'not_found', message: `this run has no tool ${name}` } }
    : { error: { code: 'invalid_arg', message: `the arguments of the tool ${name} are not JSON` } }
}

const failure = (error: unknown): Outcome => ({
  error: error instanceof ToolError ? error.told : { code: 'internal_error', message: 'the tool broke' },
})
