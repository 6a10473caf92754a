import type { LanguageModelV4FinishReason, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { type CompletionMessage, type Handlers, type Methods, type ResultOf, refuse } from '@svc/contract'
import { guessTokens, tokenCap, told, usageOf } from '../models/tokens.ts'
import type { CallContext } from './context.ts'
import { spend } from './spend.ts'

type Completion = ResultOf<Methods['llm']['complete']>
type Embedding = ResultOf<Methods['llm']['embed']>

/** Handlers of `llm.*` (spec §2.6, §4.2): of a call nothing is kept but what it used. */
export const llm: Handlers<'llm', CallContext> = {
  async complete({ messages, maxTokens, modelPreferences }, context) {
    const { house, install } = context
    const { model } = house.models.choose(modelPreferences, install.grants.models)
    const cap = tokenCap(install.grants, house.limits)
    const maxOutputTokens = Math.min(maxTokens ?? cap, cap)
    const asked = guessTokens(
      messages.map(({ content }) => content.text),
      house.limits,
    )
    const tokens = asked + maxOutputTokens
    return spend(context, { counted: 'completions', tokens }, async (abortSignal): Promise<Completion> => {
      const answer = await model.doGenerate({ prompt: promptOf(messages), maxOutputTokens, abortSignal })
      const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const guessed = { inputTokens: asked, outputTokens: guessTokens([text], house.limits) }
      return {
        role: 'assistant',
        content: { type: 'text', text },
        model: answer.response?.modelId ?? model.modelId,
        stopReason: stopReasonOf(answer.finishReason),
        usage: usageOf(answer, guessed),
      }
    })
  },

  stream: (args, context) => context.house.runs.stream(callerOf(context), args),

  attach: ({ run_id, after_seq }, context) =>
    context.house.runs.attach(streamsOf(context), run_id, after_seq, context.window.id),

  async cancel({ run_id }, context) {
    return { cancelled: await context.house.runs.cancel(streamsOf(context), run_id) }
  },

  async embed({ input, model }, context) {
    const { embedder } = context.house.models
    if (!embedder) throw refuse('not_implemented', 'this host has no embedding model')
    const { modelId } = embedder
    if (model !== undefined && model !== modelId)
      throw refuse('invalid_arg', `model must be ${JSON.stringify(modelId)}, got ${JSON.stringify(model)}`)
    const texts = typeof input === 'string' ? [input] : input
    const asked = guessTokens(texts, context.house.limits)
    return spend(context, { counted: 'completions', tokens: asked }, async (signal): Promise<Embedding> => {
      const { embeddings, tokens } = await embedder.embed(texts, signal)
      const inputTokens = told(tokens) ?? asked
      const usage = { inputTokens, outputTokens: 0, totalTokens: inputTokens }
      return { embeddings, model: modelId, usage }
    })
  },
}

const callerOf = ({ userId, window, version, install }: CallContext) => ({
  ...{ userId, appId: window.row.app_id, windowUuid: window.id },
  ...{ version, install },
})

/** The streams that a window may see: those of its user and app. */
const streamsOf = ({ userId, window }: CallContext) => ({
  userId,
  appId: window.row.app_id,
  sessionUuid: null,
})

const promptOf = (messages: readonly CompletionMessage[]): LanguageModelV4Prompt =>
  messages.map(({ role, content: { text } }) => ({ role, content: [{ type: 'text', text }] }))

/** The provider's own word for a stop sequence, which the AI SDK folds into `stop`. */
const STOP_SEQUENCE = 'stop_sequence'

function stopReasonOf({ unified, raw }: LanguageModelV4FinishReason): Completion['stopReason'] {
  if (unified === 'length') return 'maxTokens'
  return raw === STOP_SEQUENCE ? 'stopSequence' : 'endTurn'
}
