import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { TokenUsage } from '@svc/contract'
import { parseKeeping } from '@svc/contract/exact-json'
import { pause } from '@svc/node'
import type { ModelMessage } from 'ai'
import { untilAborted } from '../../kernel/in-time.ts'
import { piecesOf } from '../../kernel/json.ts'
import { ModelFailure } from '../../models/providers/failure.ts'
import { failureOf } from '../../models/providers/failure-of.ts'
import type { ModelPart } from '../../models/providers/part-reader.ts'
import { guessTokens, usageOf } from '../../models/providers/spend.ts'
import { withheldBy } from '../../models/providers/withheld.ts'
import { bestEffort } from '../engine/best-effort.ts'
import type { SessionTool } from '../sessions/session-tools.ts'
import type { Answer } from './answer.ts'
import { openCallCaps } from './call-caps.ts'
import type { Completed, Finish } from './chunks.ts'
import type { HeldRun } from './held-run.ts'
import { remember } from './messages.ts'
import { isConversation } from './order.ts'
import type { RunParts } from './runs.ts'
import { messagesOf, newStep, type Step } from './step.ts'
import { talkOptions } from './talk-options.ts'
import { ask, tapModel } from './tap-model.ts'
import type { Outcome } from './tool-loop.ts'
import { withoutMedia } from './tool-output.ts'
import { checkRow, extendSession } from './watch.ts'

/**
 * Lets the model and its tools talk until the model is done or was asked `steps` times: the loop is the AI SDK's where
 * there are tools, the frames are ours. Rejects with what failed, or when the run is to end; what was said until then is kept.
 */
export async function runAgentLoop(
  parts: RunParts,
  held: HeldRun,
  given: {
    readonly messages: ModelMessage[]
    /** The system prompt, with what plugins say of their tools. */
    readonly instructions: string | null
    readonly tools: readonly SessionTool[]
  },
): Promise<Completed> {
  const { limits } = parts
  const { order, frameWriter, chunks, budget, signal } = held
  const steps: Step[] = []
  const caps = openCallCaps(limits)
  let heard = 0
  let dropped = 0
  let calls = 0

  /** The edge of a step: whether the run is to continue, its session, its quota. */
  async function onAsk({ prompt }: LanguageModelV4CallOptions): Promise<void> {
    await checkRow(parts, held)
    if (steps.length > 0) await extendSession(parts, held)
    signal.throwIfAborted()
    const inputTokens = guessTokens(prompt.map(textOf), limits)
    await budget.ask(inputTokens + order.maxOutputTokens)
    steps.push(newStep(inputTokens))
    caps.step()
  }

  function onPart(part: ModelPart): Promise<void> | undefined {
    heard += 1
    note(part)
    if (heard % limits.RUN_CHECK_EVENTS !== 0) return undefined
    void checkRow(parts, held)
    // A model that never lets others have their turn could not be cancelled.
    return pause()
  }

  function note(part: ModelPart): void {
    const step = steps.at(-1)
    if (!step || signal.aborted) return
    if (part.type === 'text-delta') {
      step.text += part.delta
      for (const delta of piecesOf(part.delta, limits.RUN_DELTA_MAX_CHARS))
        frameWriter.write(chunks.text(delta))
    } else if (part.type === 'tool-call') {
      const { toolCallId: id, toolName: name, input } = part
      step.calls.push({ type: 'tool_call', tool_call_id: id, name, arguments: input })
      const call = { index: calls, id, type: 'function', function: { name, arguments: input } } as const
      frameWriter.write(chunks.delta({ tool_calls: [call] }))
      calls += 1
    } else if (part.type === 'finish') step.finish = part
  }

  /** Once a step, however it ended: what it took. */
  async function onEnd(error?: unknown): Promise<void> {
    const step = steps.at(-1)
    if (!step || step.usage) return
    const guessed = { inputTokens: step.inputTokens, outputTokens: guessTokens([step.text], limits) }
    step.usage = usageOf(step.finish ?? NOT_TOLD, guessed)
    if (error instanceof ModelFailure) await budget.failed(error)
    else await budget.settle(step.usage.totalTokens)
  }

  function exactly(id: string, args: unknown): unknown {
    const call = steps.flatMap((step) => step.calls).find((one) => one.tool_call_id === id)
    try {
      return call ? parseKeeping(call.arguments) : args
    } catch {
      return args
    }
  }

  function writeOutcome(id: string, name: string, outcome: Outcome): void {
    const result = { tool_call_id: id, name, ...outcome }
    steps
      .findLast((step) => step.calls.some((call) => call.tool_call_id === id))
      ?.results.push({
        type: 'tool_result',
        ...result,
        ...('output' in outcome && { output: withoutMedia(outcome.output) }),
      })
    frameWriter.write(chunks.delta({ tool_result: result }))
  }

  async function keep(step: Step | undefined, isCut: boolean): Promise<void> {
    if (!step || step.isKept || !order.session || !isConversation(order)) return
    step.isKept = true
    const said = messagesOf(step, order.runId, isCut)
    const whose = { userId: order.caller.userId, sessionUuid: order.session.id }
    if (said.length > 0) await remember(parts, whose, said)
  }

  const onDropped = (turns: number) => {
    dropped = Math.max(dropped, turns)
  }
  const listener = { onAsk, onPart, onEnd, onDropped: isConversation(order) ? onDropped : undefined }
  const { model } = order.model
  const talk: { answer: Answer | null } = { answer: null }
  let finished = 0
  const keepNext = () => keep(steps[finished++], false)

  /** Asks a model that has no tools. `false`: it did more than talk, and the loop is to go on with its answer. */
  async function isTalk(): Promise<boolean> {
    talk.answer = await ask(model, await talkOptions(held, given.messages), listener)
    return talk.answer.isTalk()
  }

  try {
    if (given.tools.length === 0 && (await untilAborted(signal, isTalk))) await keepNext()
    else {
      const { runToolLoop } = await parts.toolLoop()
      await runToolLoop(parts, held, {
        model: tapModel(model, listener, talk.answer, exactly),
        messages: given.messages,
        instructions: given.instructions,
        tools: given.tools,
        caps,
        exactly,
        onOutcome: writeOutcome,
        onStep: keepNext,
      })
    }
    signal.throwIfAborted()
  } catch (error) {
    talk.answer?.cancel(error)
    await onEnd(error)
    if (!(error instanceof Error && error.name.startsWith('AI_'))) throw error
    // The error did not come from a model, so it is not logged yet; its message may quote a provider.
    parts.log.warn(
      { model: order.model.name, run: order.runId, error: error.name },
      'the AI SDK gave a run up',
    )
    throw failureOf(order.model.name, error)
  } finally {
    await bestEffort(parts, 'the last text of a run could not be stored', () => keep(steps.at(-1), true))
  }
  const last = steps.at(-1)
  return {
    usage: sumOf(steps),
    finish: finishOf(last),
    dropped,
    withheld: last?.finish ? withheldBy(last.finish.finishReason) : null,
  }
}

const NOT_TOLD = {
  usage: {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  },
} as const

/** What of a message counts as text that is sent. */
const textOf = ({ content }: LanguageModelV4CallOptions['prompt'][number]): string =>
  typeof content === 'string'
    ? content
    : content
        .map((part) => (part.type === 'text' ? part.text : part.type === 'file' ? '' : JSON.stringify(part)))
        .join('')

function sumOf(steps: readonly Step[]): TokenUsage {
  const sum = (pick: 'inputTokens' | 'outputTokens') =>
    steps.reduce((total, { usage }) => total + (usage?.[pick] ?? 0), 0)
  const [prompt_tokens, completion_tokens] = [sum('inputTokens'), sum('outputTokens')]
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

const finishes: ReadonlyMap<string, Finish> = new Map([
  ['length', 'length'],
  ['tool-calls', 'tool_calls'],
])

const finishOf = (step: Step | undefined): Finish =>
  finishes.get(step?.finish?.finishReason.unified ?? 'stop') ?? 'stop'
