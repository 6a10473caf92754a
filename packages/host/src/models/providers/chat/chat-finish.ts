import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'

type Finish = LanguageModelV4FinishReason['unified']

/** Why answers end, by the words of many servers in lower case; any other word is `other`. */
const finishes: ReadonlyMap<string, Finish> = new Map<string, Finish>([
  ...['stop', 'stop_sequence', 'end_turn', 'eos', 'eos_token', 'complete', 'completed'].map(
    (word) => [word, 'stop'] as const,
  ),
  ...[
    'length',
    'max_tokens',
    'max_output_tokens',
    'model_length',
    'limit',
    'error_limit',
    'model_context_window_exceeded',
  ].map((word) => [word, 'length'] as const),
  ...['tool_calls', 'tool_call', 'tool_use', 'function_call'].map((word) => [word, 'tool-calls'] as const),
  ...[
    'content_filter',
    'content_filtered',
    'safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'sensitive',
    'guardrail_intervened',
    'refusal',
    'error_toxic',
  ].map((word) => [word, 'content-filter'] as const),
  ...['error', 'failed', 'network_error', 'insufficient_system_resource', 'function_call_filter'].map(
    (word) => [word, 'error'] as const,
  ),
])

/** How an answer ended. */
export interface Ended {
  /** The server's word; `null`: it ended without one. */
  readonly finish: string | null
  readonly hasRefusal: boolean
  readonly hasCalls: boolean
}

/**
 * Why an answer ended. A model that refuses in a member of its own, or calls tools, has often `stop` as its word. The raw
 * reason of a refusal is `refusal`.
 */
export function finishOf({ finish, hasRefusal, hasCalls }: Ended): LanguageModelV4FinishReason {
  const raw = finish ?? undefined
  const unified =
    finish === null ? 'stop' : (finishes.get(finish.toLowerCase().replace(/:.*/s, '')) ?? 'other')
  if (unified !== 'stop' && unified !== 'other') return { unified, raw }
  if (hasRefusal) return { unified: 'content-filter', raw: 'refusal' }
  return { unified: hasCalls ? 'tool-calls' : unified, raw }
}
