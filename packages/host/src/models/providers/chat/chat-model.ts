import { OpenAICompatibleChatLanguageModel, VERSION } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { OpenaiServer } from '../openai.ts'
import type { PartReader } from '../part-reader.ts'
import { chatReader } from './chat-reader.ts'
import { postChat } from './chat-request.ts'

/** The name of the AI SDK's provider, and the other one under which callers may set options of it. */
const PROVIDER = 'openai-compatible'
const PROVIDER_OPTIONS = 'openaiCompatible'

/**
 * Opens a chat model of a server. What it is asked is worded by the AI SDK's provider; its answer is read here, because
 * the provider's pipeline costs several times what all else does that a token goes through.
 */
export function openChatModel({ baseURL, apiKey, limits }: OpenaiServer, modelId: string) {
  const url = new URL(`${baseURL.replace(/\/$/, '')}/chat/completions`)
  const model = new OpenAICompatibleChatLanguageModel(modelId, {
    provider: `${PROVIDER}.chat`,
    url: () => url.href,
  })
  const headers = {
    'content-type': 'application/json',
    // Some servers refuse a client that does not say what it is.
    'user-agent': `ai-sdk-openai-compatible/${VERSION}`,
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }
  return async (options: LanguageModelV4CallOptions): Promise<PartReader> => {
    const { body, warnings } = await model.prepareRequest(options)
    const bytes = await postChat({
      url,
      headers: { ...headers, ...given(options.headers) },
      body: JSON.stringify({ ...body, stream: true, stream_options: { include_usage: true } }),
      signal: options.abortSignal,
      model: modelId,
      maxBytes: limits.MODEL_RESPONSE_MAX_BYTES,
    })
    const named = options.providerOptions?.[PROVIDER_OPTIONS] ? PROVIDER_OPTIONS : PROVIDER
    return chatReader(bytes, named, warnings)
  }
}

/** The headers of a caller that are there. */
const given = (headers: LanguageModelV4CallOptions['headers'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  )
