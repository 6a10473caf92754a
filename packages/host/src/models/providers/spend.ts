import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { type Grants, type Limits, refuse, type Usage } from '@svc/contract'
import type { QuotaUse } from '../quotas/quotas.ts'
import type { ModelServices } from '../services.ts'

type TokenBytes = Pick<Limits, 'TOKEN_BYTES'>

/** What texts may come to in tokens, before a model has reported them, or if it does not. */
export function guessTokens(texts: readonly string[], { TOKEN_BYTES }: TokenBytes): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return Math.ceil(bytes / TOKEN_BYTES)
}

/** The most tokens that an app may have of one answer: as granted, else the default. */
export const tokenCap = (
  { quota_caps }: Pick<Grants, 'quota_caps'>,
  { MAX_TOKENS_PER_CALL_DEFAULT }: Pick<Limits, 'MAX_TOKENS_PER_CALL_DEFAULT'>,
): number => quota_caps?.max_tokens_per_call ?? MAX_TOKENS_PER_CALL_DEFAULT

/** The usage that a model reported, with a guess for each number that it did not report. */
export function usageOf(
  { usage }: Pick<LanguageModelV4GenerateResult, 'usage'>,
  guessed: Pick<Usage, 'inputTokens' | 'outputTokens'>,
): Usage {
  const inputTokens = countOrUndefined(usage.inputTokens.total) ?? guessed.inputTokens
  const outputTokens = countOrUndefined(usage.outputTokens.total) ?? guessed.outputTokens
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
}

/** Returns a count if it is a valid one: a server may send anything. */
export const countOrUndefined = (count: number | undefined): number | undefined =>
  Number.isSafeInteger(count) && (count ?? -1) >= 0 ? count : undefined

/** Whose quotas are charged, and for as long as what. */
export interface Spender {
  readonly services: Pick<ModelServices, 'quotas'>
  readonly userId: string
  readonly appId: string
  readonly install: { readonly grants: Grants }
  /** A signal that fires when nobody waits any more; made on demand. */
  gone(): AbortSignal
}

/** Does `work` within the quotas of the user and the app, for as long as the caller is there. */
export async function spend<T extends { readonly usage: Usage }>(
  { services, userId, appId, install, gone }: Spender,
  wanted: Pick<QuotaUse, 'counted' | 'count' | 'tokens'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = gone()
  const appCalls = install.grants.quota_caps?.max_runs_per_day
  try {
    signal.throwIfAborted()
    return await services.quotas.spend({ ...wanted, userId, appId, appCalls }, () => work(signal))
  } catch (error) {
    throw signal.aborted && error === signal.reason ? refuse('cancelled') : error
  }
}
