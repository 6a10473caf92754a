import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
} from '@ai-sdk/provider'
import type { AskOptions, ReadableModel } from '../../models/providers/part-reader.ts'
import { type Answer, type Listener, openAnswer } from './answer.ts'

/** Receives what a model streams, and is told when it is asked. */
export interface ModelListener extends Listener {
  /** The model is about to be asked; a rejection keeps it from being asked. */
  onAsk(options: LanguageModelV4CallOptions): Promise<void>
  /** So many of the oldest turns did not fit and were left out. Without it none may be. */
  readonly onDropped?: NonNullable<AskOptions['onDropped']> | undefined
}

/** Asks a model; a listener receives what it streams. Rejects as `onAsk` and the model do. */
export async function ask(
  model: ReadableModel,
  options: LanguageModelV4CallOptions,
  listener: ModelListener,
): Promise<Answer> {
  await listener.onAsk(options)
  try {
    return openAnswer(await model.readParts(withDropped(options, listener)), listener)
  } catch (error) {
    await listener.onEnd(error)
    throw error
  }
}

const withDropped = (options: LanguageModelV4CallOptions, { onDropped }: ModelListener): AskOptions =>
  onDropped ? { ...options, onDropped } : options

/**
 * A model for the AI SDK that passes on to a listener what it streams. `first`: it was asked once, with this answer.
 * `exactly` returns the arguments of a call with all digits: the AI SDK keeps what `JSON.parse` made of them.
 */
export function tapModel(
  model: ReadableModel,
  listener: ModelListener,
  first: Answer | null,
  exactly: (toolCallId: string, args: unknown) => unknown,
): LanguageModelV4 {
  const exactPart = <Part extends { readonly type: string }>(part: Part): Part =>
    isCall(part) ? { ...part, input: exactly(part.toolCallId, part.input) } : part
  const exact = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
    prompt.map((message) =>
      message.role === 'assistant' ? { ...message, content: message.content.map(exactPart) } : message,
    )

  let begun = first
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: model.doGenerate,
    async doStream(options) {
      const answer = begun ?? (await ask(model, { ...options, prompt: exact(options.prompt) }, listener))
      begun = null
      return { stream: answer.stream() }
    },
  }
}

const isCall = (part: { readonly type: string }): part is LanguageModelV4ToolCallPart =>
  part.type === 'tool-call'
