import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { collect } from './collect.ts'
import { readerOf } from './part-reader.ts'

/** The name of the built-in development model. */
export const DEV_MODEL = 'svc-dev'

const INTRODUCTION = `[${DEV_MODEL}, the development model]`
/** What the development model takes for a token: a run of white space or of anything else. */
const TOKEN = /\s+|\S+/g
/** At the beginning of a line; it looks no further than that line for its place. */
const CALL = /(?:^|\n)[^\S\n]*\/call\s+(\S+)([\s\S]*)/

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? []

/**
 * The built-in model: it says what it is and what it heard, the same each time, token by token, with no
 * network. `/call tool_id.method {json}`, alone or as the last line of a question, lets it call that tool, once.
 */
export function devModel(): LanguageModelV4 {
  const doStream = async (options: LanguageModelV4CallOptions) => ({ stream: streamOf(options) })
  return {
    specificationVersion: 'v4',
    provider: 'svc',
    modelId: DEV_MODEL,
    supportedUrls: {},
    doStream,
    doGenerate: async (options) => collect(readerOf(streamOf(options))),
  }
}

function streamOf(options: LanguageModelV4CallOptions): ReadableStream<LanguageModelV4StreamPart> {
  const { abortSignal } = options
  const parts = partsOf(options)
  return new ReadableStream(
    {
      pull(controller) {
        if (abortSignal?.aborted) return controller.error(abortSignal.reason)
        const { done, value } = parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

function* partsOf({
  prompt,
  maxOutputTokens = Number.POSITIVE_INFINITY,
  tools = [],
}: LanguageModelV4CallOptions): Generator<LanguageModelV4StreamPart> {
  const input = prompt.flatMap((message) => tokensOf(textOf(message))).length
  const answer = answerTo(
    prompt,
    tools.map((tool) => ownNameOf(tool)),
  )
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'response-metadata', modelId: DEV_MODEL }
  const tokens = tokensOf(answer.text)
  const given = tokens.slice(0, maxOutputTokens)
  yield { type: 'text-start', id: '0' }
  for (const delta of given) yield { type: 'text-delta', id: '0', delta }
  yield { type: 'text-end', id: '0' }
  const isCut = given.length < tokens.length
  if (answer.call && !isCut) yield answer.call
  yield {
    type: 'finish',
    finishReason: { unified: isCut ? 'length' : answer.call ? 'tool-calls' : 'stop', raw: undefined },
    usage: usageOf(input, given.length),
  }
}

/** What its host calls a tool: nobody has to know under which name this model got it. */
function ownNameOf(tool: NonNullable<LanguageModelV4CallOptions['tools']>[number]): string {
  const own = tool.type === 'function' && tool.providerOptions?.svc?.own
  return typeof own === 'string' ? own : tool.name
}

interface Answer {
  readonly text: string
  readonly call?: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>
}

function answerTo(prompt: readonly LanguageModelV4Message[], tools: readonly string[]): Answer {
  const last = prompt.at(-1)
  const heard = last ? textOf(last) : ''
  if (last?.role === 'tool') return { text: `${INTRODUCTION} The tool answered: ${heard}` }
  const [, wanted, rest = ''] = CALL.exec(heard) ?? []
  const input = rest.trimStart()
  if (wanted === undefined) return { text: `${INTRODUCTION} You said: ${heard}${seen(last)}` }
  const toolName = wanted.includes('__') ? wanted : wanted.replace('.', '__')
  if (!tools.includes(toolName))
    return { text: `${INTRODUCTION} I have no tool ${toolName}; I have: ${tools.join(', ') || 'none'}` }
  const call = {
    type: 'tool-call',
    toolCallId: `call_${prompt.length}`,
    toolName,
    input: input || '{}',
  } as const
  return { text: `${INTRODUCTION} I call ${toolName}.`, call }
}

/** What of a message can be read. */
function textOf({ content }: LanguageModelV4Message): string {
  if (typeof content === 'string') return content
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text
    return part.type === 'tool-result' ? answerOf(part.output) : ''
  })
  return texts.join('')
}

/** What a tool answered, without the wrapping of the AI SDK. */
function answerOf(output: LanguageModelV4ToolResultPart['output']): string {
  if (output.type === 'execution-denied') return output.reason ?? 'it was denied'
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
}

function seen(message: LanguageModelV4Message | undefined): string {
  const files = message?.role === 'user' ? message.content.filter((part) => part.type === 'file').length : 0
  return files === 0 ? '' : ` (with ${files} ${files === 1 ? 'file' : 'files'})`
}

const usageOf = (input: number, output: number): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: output, reasoning: undefined },
})
