import { limits } from '@svc/contract'
import type { DailyQuotas } from './quotas.ts'

const defaults: DailyQuotas = {
  completions_per_day: limits.COMPLETIONS_PER_DAY,
  runs_per_day: limits.RUNS_PER_DAY,
  tokens_per_day: limits.TOKENS_PER_DAY,
  images_per_day: limits.IMAGES_PER_DAY,
}

/** The quotas of `createHost({ quotas })` with the defaults filled in. Throws for a name or a number that is none. */
export function readQuotas(given: Partial<DailyQuotas> = {}): DailyQuotas {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) throw new Error(`createHost: there is no quota quotas.${name}`)
    if (!Number.isSafeInteger(value) || value < 0)
      throw new Error(`createHost: quotas.${name} must be an integer of at least 0, got ${String(value)}`)
  }
  return { ...defaults, ...given }
}
