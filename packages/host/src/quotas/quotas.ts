import type { Usage } from '@svc/contract'

/** What a user may use in a day (UTC). */
export interface DailyQuotas {
  readonly completions_per_day: number
  readonly runs_per_day: number
  readonly tokens_per_day: number
  readonly images_per_day: number
}

/** What is counted by number. */
export type Counted = 'completions' | 'runs' | 'images'

/** What somebody is about to use. */
export interface Wanted {
  readonly userId: string
  readonly appId: string
  readonly counted: Counted
  /** How many of it. Default 1; 0: more tokens for what was counted before. */
  readonly count?: number
  /** The most tokens that it may take. */
  readonly tokens: number
  /** Completions and runs of this app that the user granted a day; left out, the user's quotas alone hold. */
  readonly appCalls?: number | undefined
}

/** What was taken from the quotas of the day that it was asked for on; the first of the two methods counts. */
export interface Charge {
  /** It is over and took this many tokens. */
  settle(tokens: number): Promise<void>
  /** Nothing reached a provider: it is as if it had not been. */
  refund(): Promise<void>
}

/** The quotas of users by day (decision 26). */
export interface Quotas {
  /** Takes what is wanted, or refuses: of any number at once, no more pass than may. Errors: `quota_exceeded`. */
  charge(wanted: Wanted): Promise<Charge>
  /**
   * Charges for `work`, does it, and settles by what `work` used, or by what its `ModelFailure` may have cost.
   * What nobody can tell stays as it was charged. Errors: `quota_exceeded`; those of `work`.
   */
  spend<T extends { readonly usage: Usage }>(wanted: Wanted, work: () => Promise<T>): Promise<T>
  /** Forgets days that ended `QUOTA_KEPT_MS` ago. */
  sweep(): Promise<void>
}
