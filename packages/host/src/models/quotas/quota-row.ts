import { collection } from '@svc/state'

/** How many of something each app made. */
export type AppCalls = readonly (readonly [appId: string, calls: number])[]

/** What a user has used on one day (UTC). The record's id is `quotaId(user, day)`. */
export interface QuotaRow {
  readonly user_id: string
  readonly completions: number
  readonly runs: number
  readonly images: number
  /** Left out: none, as are those below. */
  readonly searches?: number
  readonly fetches?: number
  /** Used, and charged for what is under way. */
  readonly tokens: number
  /** Completions and runs of each app that made any: `[app_id, count]`. */
  readonly apps: AppCalls
  /** Searches and pages of each app that made any. */
  readonly web?: AppCalls
  /** The end of the day, Unix ms. */
  readonly ends_at: number
}

export const quotas = collection({
  name: 'quotas',
  row: {} as QuotaRow,
  indexes: { endsAt: (row) => [row.ends_at], byUser: (row) => [row.user_id, row.ends_at] },
})

/** One record a user and day: all that a charge judges is in one row, so one swap decides. */
export const quotaId = (userId: string, endsAt: number): string => `${userId}\n${endsAt}`
