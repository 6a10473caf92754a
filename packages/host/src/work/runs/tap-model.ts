import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ReadableModel } from '../../models/providers/part-reader.ts'
import { type Answer, type Listener, openAnswer } from './answer.ts'

/** Receives what a model streams, and is told when it is asked. */
export interface ModelListener extends Listener {
  /** The model is about to be asked; a rejection keeps it from being asked. */
  onAsk(options: LanguageModelV4CallOptions): Promise<void>
}

/** Asks a model; a listener receives what it streams. Rejects as `onAsk` and the model do. */
export async function ask(
  model: ReadableModel,
  options: LanguageModelV4CallOptions,
  listener: ModelListener,
): Promise<Answer> {
  await listener.onAsk(options)
  try {
    return openAnswer(await model.readParts(options), listener)
  } catch (error) {
    await listener.onEnd(error)
    throw error
  }
}

/** A model for the AI SDK that passes on to a listener what it streams. `first`: it was asked once, with this answer. */
export function tapModel(
  model: ReadableModel,
  listener: ModelListener,
  first: Answer | null,
): LanguageModelV4 {
  let begun = first
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: model.doGenerate,
    async doStream(options) {
      const answer = begun ?? (await ask(model, options, listener))
      begun = null
      return { stream: answer.stream() }
    },
  }
}
