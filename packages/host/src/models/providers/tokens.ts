import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { Grants, Limits, Usage } from '@svc/contract'

type TokenBytes = Pick<Limits, 'TOKEN_BYTES'>

/** What texts may come to in tokens, before a model has told it or where it does not. */
export function guessTokens(texts: readonly string[], { TOKEN_BYTES }: TokenBytes): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return Math.ceil(bytes / TOKEN_BYTES)
}

/** The most tokens that an app may have of one answer: as granted, else the default. */
export const tokenCap = (
  { quota_caps }: Pick<Grants, 'quota_caps'>,
  { MAX_TOKENS_PER_CALL_DEFAULT }: Pick<Limits, 'MAX_TOKENS_PER_CALL_DEFAULT'>,
): number => quota_caps?.max_tokens_per_call ?? MAX_TOKENS_PER_CALL_DEFAULT

/** What a model told it took and gave; a guess for each number that it kept to itself. */
export function usageOf(
  { usage }: Pick<LanguageModelV4GenerateResult, 'usage'>,
  guessed: Pick<Usage, 'inputTokens' | 'outputTokens'>,
): Usage {
  const inputTokens = told(usage.inputTokens.total) ?? guessed.inputTokens
  const outputTokens = told(usage.outputTokens.total) ?? guessed.outputTokens
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
}

/** A count, and nothing else that a server may send in its place. */
export const told = (count: number | undefined): number | undefined =>
  Number.isSafeInteger(count) && (count ?? -1) >= 0 ? count : undefined
