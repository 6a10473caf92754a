import type { Grants, Limits, QuotaCaps } from '@svc/contract'
import type { SessionCaps } from './session-row.ts'

/**
 * The effective caps of a session: of each the smaller of what is asked and what the user granted; where neither says
 * anything, the defaults.
 */
export function effectiveCaps(
  asked: QuotaCaps,
  { quota_caps: granted = {} }: Grants,
  limits: Limits,
): SessionCaps {
  const least = (name: keyof QuotaCaps) => {
    const given = [asked[name], granted[name]].filter((cap) => cap !== undefined)
    return given.length > 0 ? Math.min(...given) : undefined
  }
  return {
    max_tokens_per_call: least('max_tokens_per_call') ?? limits.MAX_TOKENS_PER_CALL_DEFAULT,
    max_runs_per_day: least('max_runs_per_day'),
    max_concurrent_runs: least('max_concurrent_runs') ?? limits.CONCURRENT_RUNS_DEFAULT,
  }
}
