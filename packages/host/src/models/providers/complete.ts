import type { LanguageModelV4FinishReason, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { CompletionArgs, CompletionMessage, CompletionResult } from '@svc/contract'
import type { ModelServices } from '../services.ts'
import { guessTokens, type Spender, spend, tokenCap, usageOf } from './spend.ts'
import { withheldBy } from './withheld.ts'

/** Whoever may have a model complete something. */
export interface Completer extends Spender {
  readonly services: Pick<ModelServices, 'limits' | 'models' | 'quotas'>
}

/** Lets a model continue from a list of messages, within the quotas of the user and the app. */
export function complete(
  spender: Completer,
  { messages, maxTokens, modelPreferences }: CompletionArgs,
): Promise<CompletionResult> {
  const { services, install } = spender
  const { model } = services.models.choose(modelPreferences, install.grants.models)
  const cap = tokenCap(install.grants, services.limits)
  const maxOutputTokens = Math.min(maxTokens ?? cap, cap)
  const asked = guessTokens(
    messages.map(({ content }) => content.text),
    services.limits,
  )
  const tokens = asked + maxOutputTokens
  return spend(
    spender,
    { counted: 'completions', tokens },
    async (abortSignal): Promise<CompletionResult> => {
      const answer = await model.doGenerate({ prompt: promptOf(messages), maxOutputTokens, abortSignal })
      const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const withheld = withheldBy(answer.finishReason)
      const guessed = { inputTokens: asked, outputTokens: guessTokens([text], services.limits) }
      return {
        role: 'assistant',
        content: { type: 'text', text },
        model: answer.response?.modelId ?? model.modelId,
        stopReason: stopReasonOf(answer.finishReason),
        usage: usageOf(answer, guessed),
        ...(withheld && { details: { stop_reason: withheld } }),
      }
    },
  )
}

const promptOf = (messages: readonly CompletionMessage[]): LanguageModelV4Prompt =>
  messages.map(({ role, content: { text } }) => ({ role, content: [{ type: 'text', text }] }))

/** The provider's own word for a stop sequence, which the AI SDK folds into `stop`. */
const STOP_SEQUENCE = 'stop_sequence'

function stopReasonOf({ unified, raw }: LanguageModelV4FinishReason): CompletionResult['stopReason'] {
  if (unified === 'length') return 'maxTokens'
  return raw === STOP_SEQUENCE ? 'stopSequence' : 'endTurn'
}
