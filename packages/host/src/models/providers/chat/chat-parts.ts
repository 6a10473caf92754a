import {
  convertOpenAICompatibleChatUsage,
  getResponseMetadata,
  mapOpenAICompatibleFinishReason,
} from '@ai-sdk/openai-compatible/internal'
import {
  InvalidResponseDataError,
  type SharedV4ProviderMetadata,
  type SharedV4Warning,
} from '@ai-sdk/provider'
import { secureJsonParse } from '@ai-sdk/provider-utils'
import type { ModelPart } from '../part-reader.ts'
import { openAlike, type TextField } from './alike.ts'
import { type ChatChunk, type ChatDelta, type ChatError, isChatChunk, isChatError } from './chat-chunk.ts'
import { openToolCalls } from './tool-calls.ts'

/** The blocks of an answer: it says one after the other, and each kind has one id. */
const blocks = {
  text: { id: 'txt-0', start: 'text-start', delta: 'text-delta', end: 'text-end' },
  reasoning: { id: 'reasoning-0', start: 'reasoning-start', delta: 'reasoning-delta', end: 'reasoning-end' },
} as const
type Block = keyof typeof blocks

/** What the text of a field is said in. */
const blockOf: Readonly<Record<TextField, Block>> = {
  content: 'text',
  reasoning_content: 'reasoning',
  reasoning: 'reasoning',
}

/**
 * Opens what makes parts of the events of an answer, the same that the AI SDK's provider makes of them. `provider` names
 * what the parts tell of it alone.
 */
export function openChatParts(provider: string, warnings: SharedV4Warning[], add: (part: ModelPart) => void) {
  const toolCalls = openToolCalls(provider, add)
  const alike = openAlike((field, text) => {
    if (text) say(blockOf[field], text)
  })
  let block: Block | null = null
  let isNamed = false
  let hasRefusal = false
  let finish: string | null = null
  let hasFailed = false
  let usage: ChatChunk['usage']

  function leave(): void {
    if (block) add({ type: blocks[block].end, id: blocks[block].id })
    block = null
  }

  function say(kind: Block, delta: string): void {
    const { id, start, delta: type } = blocks[kind]
    if (block !== kind) {
      leave()
      add({ type: start, id })
      block = kind
    }
    add({ type, id, delta })
  }

  function fail(error: unknown): void {
    hasFailed = true
    finish = null
    alike.forget()
    add({ type: 'error', error })
  }

  function name(chunk: ChatChunk): void {
    const about = getResponseMetadata(chunk)
    isNamed = Object.values(about).some(Boolean)
    if (isNamed) add({ type: 'response-metadata', ...about })
  }

  function take(chunk: ChatChunk): void {
    if (!isNamed) name(chunk)
    usage = chunk.usage ?? usage
    const [choice] = chunk.choices
    finish = choice?.finish_reason ?? finish
    if (choice?.delta) hear(choice.delta)
  }

  function hear({ content, refusal, reasoning_content, reasoning, tool_calls }: ChatDelta): void {
    const thought = reasoning_content ?? reasoning
    if (thought) say('reasoning', thought)
    if (typeof content === 'string') {
      if (content) say('text', content)
    } else for (const [kind, delta] of saidIn(content ?? [])) say(kind, delta)
    if (typeof refusal === 'string' && refusal) {
      hasRefusal = true
      say('text', refusal)
    }
    if (!tool_calls?.length) return
    if (block === 'reasoning') leave()
    for (const call of tool_calls) toolCalls.add(call)
  }

  add({ type: 'stream-start', warnings })
  return {
    /** Takes the data of one event. */
    event(data: string): void {
      if (data === '[DONE]') return
      const chunk = parsed(data)
      if (!isChatChunk(chunk)) fail(isChatError(chunk) ? errorOf(chunk) : new Error(NO_CHUNK))
      else if ('error' in chunk) fail(chunk.error)
      else {
        take(chunk)
        alike.learn(data, chunk)
      }
    },
    /** Events that are like the last one but for its text. */
    alike,
    /** The answer has ended. */
    end(): void {
      leave()
      toolCalls.end()
      if (finish === null && !hasFailed)
        add({ type: 'error', error: new InvalidResponseDataError({ data: undefined, message: NO_FINISH }) })
      add({
        type: 'finish',
        finishReason:
          finish === null
            ? { unified: 'error', raw: undefined }
            : { unified: mapOpenAICompatibleFinishReason(finish, { hasRefusal }), raw: finish },
        usage: convertOpenAICompatibleChatUsage(usage),
        providerMetadata: { [provider]: predictions(usage) },
      })
    },
  }
}

const NO_FINISH = 'the answer ended without a finish reason'
const NO_CHUNK = 'an event of the answer is no chunk of a completion'

/** The value of an event; `undefined` where it is not JSON, or not such that it may be read. */
function parsed(data: string): unknown {
  try {
    return secureJsonParse(data)
  } catch {
    return undefined
  }
}

/** What a server may say of an error, and no more: a field of another name could pass for one of ours. */
const errorOf = ({ error: { message, type, param, code } }: { readonly error: ChatError }): ChatError => ({
  message,
  ...(type !== undefined && { type }),
  ...(param !== undefined && { param }),
  ...(code !== undefined && { code }),
})

/** The texts in content that is a list: Mistral's models think there. */
function* saidIn(
  content: Exclude<ChatDelta['content'], string | null | undefined>,
): Generator<[Block, string]> {
  for (const { type, text, thinking } of content) {
    if (type === 'text' && typeof text === 'string' && text) yield ['text', text]
    if (type !== 'thinking' || !Array.isArray(thinking)) continue
    const thought = thinking
      .map((one) => (one?.type === 'text' && typeof one.text === 'string' ? one.text : ''))
      .join('')
    if (thought) yield ['reasoning', thought]
  }
}

/** What of a prediction the answer took. */
function predictions(usage: ChatChunk['usage']): SharedV4ProviderMetadata[string] {
  const { accepted_prediction_tokens: accepted, rejected_prediction_tokens: rejected } =
    usage?.completion_tokens_details ?? {}
  return {
    ...(accepted != null && { acceptedPredictionTokens: accepted }),
    ...(rejected != null && { rejectedPredictionTokens: rejected }),
  }
}
