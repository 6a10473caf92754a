import type { EmbeddingModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Limits } from '@svc/contract'
import { collect } from './collect.ts'
import { type ReadableModel, streamOf } from './part-reader.ts'

/** A server that speaks OpenAI's protocol. */
export interface OpenaiServer {
  readonly baseURL: string
  readonly apiKey: string | undefined
  readonly limits: Pick<Limits, 'MODEL_RESPONSE_MAX_BYTES'>
}

/** A chat model of such a server. What it needs is loaded at its first call: a host that has another starts without it. */
export function openaiModel(server: OpenaiServer, modelId: string): ReadableModel {
  const loaded = once(async () => (await import('./chat/chat-model.ts')).openChatModel(server, modelId))
  const ask = async (options: LanguageModelV4CallOptions) => (await loaded())(options)
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId,
    supportedUrls: {},
    readParts: ask,
    doStream: async (options) => ({ stream: streamOf(await ask(options)) }),
    doGenerate: async (options) => collect(await ask(options)),
  }
}

/** An embedding model of such a server. */
export function openaiEmbedding(
  { baseURL, apiKey, limits }: OpenaiServer,
  modelId: string,
): EmbeddingModelV4 {
  const loaded = once(async () => {
    const [{ createOpenAICompatible }, { postWhole }] = await Promise.all([
      import('@ai-sdk/openai-compatible'),
      import('./chat/post-whole.ts'),
    ])
    const provider = createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      ...(apiKey !== undefined && { apiKey }),
      fetch: postWhole(modelId, limits.MODEL_RESPONSE_MAX_BYTES),
    })
    return provider.embeddingModel(modelId)
  })
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

/** Loads at the first call, once. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}
