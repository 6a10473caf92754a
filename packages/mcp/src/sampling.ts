import type { CompletionMessage, CompletionResult, ModelPreferences } from '@svc/contract'
import { type Context, RpcError } from '@svc/plugin'
import { fieldsOf } from './tool-list.ts'

const INVALID_PARAMS = -32_602

/** What `sampling/createMessage` answers. */
export interface SamplingResult {
  readonly role: 'assistant'
  readonly content: { readonly type: 'text'; readonly text: string }
  readonly model: string
  readonly stopReason: string
}

/** Asks the host, with the sampling token of a call, for the completion that the server of the call asks for. */
export async function sample(
  params: unknown,
  { session }: Pick<Context, 'session'>,
): Promise<SamplingResult> {
  const { messages, maxTokens, modelPreferences } = completionOf(params)
  const { role, content, model, stopReason } = await session.complete(messages, maxTokens, modelPreferences)
  return { role, content, model, stopReason } satisfies Omit<CompletionResult, 'usage'>
}

/**
 * The arguments of `llm/complete`. The host's completions know no system prompt of their own, so that it is the first
 * thing the user says. Errors: `RpcError` for what is not text, and for tools.
 */
export function completionOf(params: unknown): {
  readonly messages: CompletionMessage[]
  readonly maxTokens: number | undefined
  readonly modelPreferences: ModelPreferences | undefined
} {
  const { messages, systemPrompt, maxTokens, modelPreferences, tools } = fieldsOf(params) ?? {}
  if (!Array.isArray(messages)) throw refused('messages must be an array')
  if (Array.isArray(tools) && tools.length > 0) throw refused('tools cannot be given to a completion')
  const said = messages.map((message) => {
    const { role, content } = fieldsOf(message) ?? {}
    if (role !== 'user' && role !== 'assistant') throw refused('role must be user or assistant')
    return messageOf(role, [content].flat().map(textOf).join('\n'))
  })
  const first = typeof systemPrompt === 'string' && systemPrompt ? [messageOf('user', systemPrompt)] : []
  return {
    messages: [...first, ...said],
    maxTokens: typeof maxTokens === 'number' ? maxTokens : undefined,
    modelPreferences: preferencesOf(modelPreferences),
  }
}

const messageOf = (role: CompletionMessage['role'], text: string): CompletionMessage => ({
  role,
  content: { type: 'text', text },
})

function textOf(block: unknown): string {
  const { type, text } = fieldsOf(block) ?? {}
  if (type === 'text' && typeof text === 'string') return text
  throw refused(`a completion takes text only, got ${JSON.stringify(type) ?? 'a block without a type'}`)
}

function preferencesOf(value: unknown): ModelPreferences | undefined {
  const given = fieldsOf(value)
  if (!given) return undefined
  const { hints, costPriority, speedPriority, intelligencePriority } = given
  const names = (Array.isArray(hints) ? hints : []).flatMap((hint) => fieldsOf(hint)?.name ?? [])
  return {
    // A hint without a name says nothing that the host could use.
    ...(names.length > 0 && { hints: names.map((name) => ({ name: String(name) })) }),
    costPriority,
    speedPriority,
    intelligencePriority,
  } as ModelPreferences
}

const refused = (sentence: string) => new RpcError(`sampling/createMessage: ${sentence}`, INVALID_PARAMS)
