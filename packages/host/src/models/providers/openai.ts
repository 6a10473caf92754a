import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { Limits } from '@svc/contract'
import { cappedFetch } from './capped-fetch.ts'

/** A server that speaks OpenAI's protocol. */
export interface OpenaiServer {
  readonly baseURL: string
  readonly apiKey: string | undefined
  readonly limits: Pick<Limits, 'MODEL_RESPONSE_MAX_BYTES'>
}

/** Loads the provider at the first call: a host that needs none starts without it. */
function providerOf(
  { baseURL, apiKey, limits }: OpenaiServer,
  model: string,
): () => Promise<OpenAICompatibleProvider> {
  let loading: Promise<OpenAICompatibleProvider> | undefined
  return () => {
    loading ??= import('@ai-sdk/openai-compatible').then(({ createOpenAICompatible }) =>
      createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        ...(apiKey !== undefined && { apiKey }),
        includeUsage: true,
        fetch: cappedFetch(model, limits.MODEL_RESPONSE_MAX_BYTES),
      }),
    )
    return loading
  }
}

/** A chat model of such a server. */
export function openaiModel(server: OpenaiServer, modelId: string): LanguageModelV4 {
  const provider = providerOf(server, modelId)
  const loaded = async () => (await provider()).chatModel(modelId)
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId,
    supportedUrls: {},
    doStream: async (options) => (await loaded()).doStream(options),
    doGenerate: async (options) => (await loaded()).doGenerate(options),
  }
}

/** An embedding model of such a server. */
export function openaiEmbedding(server: OpenaiServer, modelId: string): EmbeddingModelV4 {
  const provider = providerOf(server, modelId)
  const loaded = async () => (await provider()).embeddingModel(modelId)
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId,
    // A call of ours carries fewer than any such server takes.
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    doEmbed: async (options) => (await loaded()).doEmbed(options),
  }
}
