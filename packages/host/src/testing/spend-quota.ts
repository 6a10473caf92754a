import type { Clock } from '@svc/node'
import type { Store } from '@svc/state'
import { charge } from '../models/quotas/charge.ts'
import type { DailyQuotas, QuotaUse } from '../models/quotas/quotas.ts'
import { readQuotas } from '../models/quotas/read-quotas.ts'

/** A quota that one charge can use up. */
export type SpendableQuota = Exclude<keyof DailyQuotas, 'web_calls_per_app_per_day'>

/** What each is charged with, where that much may be used in a day. */
const uses: Readonly<
  Record<SpendableQuota, (max: number) => Pick<QuotaUse, 'counted' | 'count' | 'tokens'>>
> = {
  completions_per_day: (count) => ({ counted: 'completions', count, tokens: 0 }),
  runs_per_day: (count) => ({ counted: 'runs', count, tokens: 0 }),
  tokens_per_day: (tokens) => ({ counted: 'completions', count: 0, tokens }),
  images_per_day: (count) => ({ counted: 'images', count, tokens: 0 }),
  searches_per_day: (count) => ({ counted: 'searches', count, tokens: 0 }),
  fetches_per_day: (count) => ({ counted: 'fetches', count, tokens: 0 }),
}

const EVERYTHING = Number.MAX_SAFE_INTEGER

/** No charge is refused by these: who spends a quota may have used a part of it. */
const unlimited: DailyQuotas = {
  completions_per_day: EVERYTHING,
  runs_per_day: EVERYTHING,
  tokens_per_day: EVERYTHING,
  images_per_day: EVERYTHING,
  searches_per_day: EVERYTHING,
  fetches_per_day: EVERYTHING,
  web_calls_per_app_per_day: EVERYTHING,
}

/** What a quota is spent with: what the host was made with. */
export interface SpendParts {
  readonly store: Store
  readonly clock: Clock
  readonly quotas?: Partial<DailyQuotas> | undefined
}

/** Charges a user with all that is in one quota of the day: from now on it is used up, until the day ends. */
export async function spendQuota(
  { store, clock, quotas }: SpendParts,
  who: { readonly userId: string; readonly appId: string },
  name: SpendableQuota,
): Promise<void> {
  const { counted, count = 1, tokens } = uses[name](readQuotas(quotas)[name])
  await charge({ store, clock, daily: unlimited }, { ...who, counted, count, tokens })
}

/** The quotas that can be spent. */
export const spendableQuotas = Object.keys(uses) as readonly SpendableQuota[]
