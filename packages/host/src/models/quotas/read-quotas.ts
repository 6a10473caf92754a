import { limits } from '@svc/contract'
import { object, whole } from '@svc/node/options'
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

const count = whole(0)

/** What `createHost({ quotas })` may be. */
export const quotasRule = object(Object.fromEntries(Object.keys(defaults).map((name) => [name, count])))

/** The quotas of `createHost({ quotas })` with the defaults filled in. */
export function readQuotas(given: Partial<DailyQuotas> = {}): DailyQuotas {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(set) }
}
