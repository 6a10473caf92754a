import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'
import type { Withheld } from '@svc/contract'

/** Why text of an answer is missing; `null`: it is not. Every provider says `refusal` for one of the model itself. */
export function withheldBy({ unified, raw }: LanguageModelV4FinishReason): Withheld | null {
  if (unified !== 'content-filter') return null
  return raw === 'refusal' ? 'refusal' : 'content_filter'
}
