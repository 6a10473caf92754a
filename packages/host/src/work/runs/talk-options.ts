import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelMessage } from 'ai'
import { convertToLanguageModelPrompt, standardizePrompt } from 'ai/internal'
import type { HeldRun } from './held-run.ts'

/** What a model without tools is asked, as the AI SDK's loop asks it. Rejects with what the AI SDK has against it. */
export async function talkOptions(
  { order, signal }: HeldRun,
  messages: ModelMessage[],
): Promise<LanguageModelV4CallOptions> {
  const { model } = order.model
  const prompt = await convertToLanguageModelPrompt({
    prompt: await standardizePrompt({
      messages,
      ...(order.instructions !== null && { instructions: order.instructions }),
    }),
    supportedUrls: await model.supportedUrls,
    download: undefined,
    abortSignal: signal,
  })
  return {
    prompt,
    maxOutputTokens: order.maxOutputTokens,
    toolChoice: { type: 'auto' },
    includeRawChunks: false,
    abortSignal: signal,
  }
}
