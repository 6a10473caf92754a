import type { StreamingToolCallDelta } from '@ai-sdk/provider-utils'

/** What a server says of itself inside of an answer. */
export interface ChatError {
  readonly message: string
  readonly type?: string | null
  readonly param?: unknown
  readonly code?: string | number | null
}

/** A piece of a tool call. */
export interface ToolCallDelta extends StreamingToolCallDelta {
  readonly function: { readonly name?: string | null; readonly arguments?: string | null }
  readonly extra_content?: { readonly google?: { readonly thought_signature?: string | null } | null } | null
}

/** What is new of an answer. */
export interface ChatDelta {
  readonly content?:
    | string
    | readonly (Readonly<Record<string, unknown>> & { readonly type: string })[]
    | null
  readonly refusal?: unknown
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
  readonly tool_calls?: readonly ToolCallDelta[] | null
}

/** One event of an answer, as servers of OpenAI's protocol send it. */
export interface ChatChunk {
  readonly id?: string | null
  readonly created?: number | null
  readonly model?: string | null
  readonly choices: readonly { readonly delta?: ChatDelta | null; readonly finish_reason?: string | null }[]
  readonly usage?: {
    readonly prompt_tokens?: number | null
    readonly completion_tokens?: number | null
    readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null
    readonly completion_tokens_details?: {
      readonly reasoning_tokens?: number | null
      readonly accepted_prediction_tokens?: number | null
      readonly rejected_prediction_tokens?: number | null
    } | null
  } | null
  /** Beside an answer it may be anything. */
  readonly error?: unknown
}

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const number: Check = Number.isFinite
const anything: Check = () => true
const either =
  (one: Check, other: Check): Check =>
  (value) =>
    one(value) || other(value)
/** It may be missing, or null. */
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value)
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
function object(shape: Readonly<Record<string, Check>>): Check {
  const fields = Object.entries(shape)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    for (const [name, check] of fields) if (!check((value as Record<string, unknown>)[name])) return false
    return true
  }
}

const toolCall = object({
  index: maybe(number),
  id: maybe(text),
  function: object({ name: maybe(text), arguments: maybe(text) }),
  extra_content: maybe(object({ google: maybe(object({ thought_signature: maybe(text) })) })),
})
const delta = object({
  role: maybe((value) => value === 'assistant' || value === ''),
  content: maybe(either(text, list(object({ type: text })))),
  reasoning_content: maybe(text),
  reasoning: maybe(text),
  tool_calls: maybe(list(toolCall)),
})
const usage = object({
  prompt_tokens: maybe(number),
  completion_tokens: maybe(number),
  total_tokens: maybe(number),
  prompt_tokens_details: maybe(object({ cached_tokens: maybe(number) })),
  completion_tokens_details: maybe(
    object({
      reasoning_tokens: maybe(number),
      accepted_prediction_tokens: maybe(number),
      rejected_prediction_tokens: maybe(number),
    }),
  ),
})
const chunk = object({
  id: maybe(text),
  created: maybe(number),
  model: maybe(text),
  choices: list(object({ delta: maybe(delta), finish_reason: maybe(text) })),
  usage: maybe(usage),
})
const failure = object({
  error: object({
    message: text,
    type: maybe(text),
    param: anything,
    code: maybe(either(text, number)),
  }),
})

/** Whether an event is a chunk; the rules are those of the AI SDK's provider, which checks each with a schema. */
export const isChatChunk = (value: unknown): value is ChatChunk => chunk(value)

/** Whether an event that is no chunk tells of an error. */
export const isChatError = (value: unknown): value is { readonly error: ChatError } => failure(value)
