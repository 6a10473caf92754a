import { limits } from '@svc/contract'
import type { DailyQuotas } from './quotas.ts'

const defaults: DailyQuotas = {
  completions_per_day: limits.COMPLETIONS_PER_DAY,
  runs_per_day: limits.RUNS_PER_DAY,
  tokens_per_day: limits.TOKENS_PER_DAY,
  images_per_day: limits.IMAGES_PER_DAY,
  searches_per_day: limits.SEARCHES_PER_DAY,
  fetches_per_day: limits.FETCHES_PER_DAY,
  web_calls_per_app_per_day: limits.WEB_CALLS_PER_APP_PER_DAY,
}

/** The quotas of `createHost({ quotas })` with the defaults filled in. Throws for a number that is not one. */
export function readQuotas(given: Partial<DailyQuotas> = {}): DailyQuotas {
  for (const [name, value] of Object.entries(given)) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new Error(`createHost: quotas.${name} must be an integer of at least 0, got ${String(value)}`)
  }
  return { ...defaults, ...given }
}
