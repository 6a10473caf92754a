import { OpenAICompatibleChatLanguageModel, VERSION } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Body } from '../dialect/body.ts'
import { openDialect } from '../dialect/dialect.ts'
import { ModelFailure } from '../failure.ts'
import { addressOf } from '../failure-of.ts'
import type { OpenaiServer } from '../openai.ts'
import type { PartReader } from '../part-reader.ts'
import { chatReader } from './chat-reader.ts'
import { openEndpoint } from './endpoint.ts'
import { refusalError } from './refused.ts'
import { showToolImages } from './show-tool-images.ts'

/** The name of the AI SDK's provider, and the other one under which callers may set options of it. */
const PROVIDER = 'openai-compatible'
const PROVIDER_OPTIONS = 'openaiCompatible'

/**
 * Opens a chat model of a server. What it is asked is worded by the AI SDK's provider; its answer is read here, because
 * the provider's pipeline costs several times what all else does that a token goes through.
 */
export function openChatModel(server: OpenaiServer, modelId: string) {
  const { clock, limits, quirks = new Map() } = server
  const dialect = openDialect(quirks)
  const endpoint = openEndpoint(server, '/chat/completions')
  const model = new OpenAICompatibleChatLanguageModel(modelId, {
    provider: `${PROVIDER}.chat`,
    url: () => endpoint.url().href,
  })
  // Some servers refuse a client that does not say what it is.
  const headers = { 'user-agent': `ai-sdk-openai-compatible/${VERSION}` }
  return async (options: LanguageModelV4CallOptions): Promise<PartReader> => {
    const { body, warnings } = await model.prepareRequest({
      ...options,
      prompt: showToolImages(options.prompt),
    })
    const wanted = { ...(body as Body), stream: true, stream_options: { include_usage: true } } // the provider's own body
    const bytes = await dialect.post(modelId, wanted, hasImages(options), (sent) =>
      endpoint.post({
        headers: { ...headers, ...given(options.headers) },
        body: JSON.stringify(sent),
        signal: options.abortSignal,
        model: modelId,
      }),
    )
    const learnt = dialect.told().map((message) => ({ type: 'other', message }) as const)
    const asked = { url: endpoint.url(), secrets: endpoint.secrets }
    return chatReader(bytes, {
      clock,
      limits,
      provider: options.providerOptions?.[PROVIDER_OPTIONS] ? PROVIDER_OPTIONS : PROVIDER,
      warnings: [...warnings, ...learnt],
      tools: new Set(wanted.tools?.map((tool) => tool.function.name)),
      said: (text) => refusalError(asked, text),
      broken: (reason, what, fix) =>
        new ModelFailure(modelId, reason, {}, 'nothing', {
          address: addressOf(asked.url.href),
          cause: what,
          fix,
        }),
    })
  }
}

/** Whether a user shows images. */
const hasImages = ({ prompt }: LanguageModelV4CallOptions): boolean =>
  prompt.some(({ role, content }) => role === 'user' && content.some(({ type }) => type === 'file'))

/** The headers of a caller that are there. */
const given = (headers: LanguageModelV4CallOptions['headers'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  )
