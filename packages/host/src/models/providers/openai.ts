import type { EmbeddingModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { collect } from './collect.ts'
import type { Known } from './dialect/quirks.ts'
import { type ReadableModel, streamOf } from './part-reader.ts'

/** A server that speaks OpenAI's protocol. */
export interface OpenaiServer {
  readonly baseURL: string
  readonly apiKey: string | undefined
  /** What is known of its chat models beforehand; the rest is learnt from refusals. */
  readonly quirks?: Known | undefined
  readonly clock: Clock
  readonly limits: Pick<Limits, 'MODEL_RESPONSE_MAX_BYTES' | 'MODEL_END_MS'>
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
export function openaiEmbedding(server: OpenaiServer, modelId: string): EmbeddingModelV4 {
  const loaded = once(async () => (await import('./chat/vectors.ts')).openVectors(server, modelId))
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId,
    // A call of ours carries fewer than any such server takes.
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    doEmbed: async (options) => (await loaded())(options),
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
