import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { Limits } from '@svc/contract'
import { ModelFailure } from './failure.ts'

/** `fetch` whose answers break off past `maxBytes`: the connection is closed, and no reader has to hold more. */
const cappedFetch =
  (model: string, maxBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    let size = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          size += chunk.byteLength
          if (size > maxBytes)
            controller.error(new ModelFailure(model, 'oversize', { max: maxBytes, retriable: false }))
          else controller.enqueue(chunk)
        },
      }),
    )
    const { status, statusText, headers } = response
    return new Response(counted, { status, statusText, headers })
  }

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
