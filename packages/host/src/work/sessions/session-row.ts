import type { SessionState } from '@svc/contract'
import { session } from '@svc/contract/states'
import { collection, type StoreRecord } from '@svc/state'

/** A session. The record's id is its `app_session_uuid`. Times are Unix ms. */
export interface SessionRow {
  readonly user_id: string
  readonly app_id: string
  /** The window that made it, with which it ends; `null` where none did. */
  readonly window_uuid: string | null
  /** What the URLs begin with that its tools answer: the origin that it was made at. */
  readonly origin?: string | undefined
  /** The plugin that made it in a call of its own; `null` where none did. */
  readonly plugin_id: string | null
  readonly kind: 'agent' | 'complete'
  readonly submode: 'auto' | 'fixed' | null
  readonly fixed_client_id: string | null
  readonly label: string | null
  /** `null` too once it has ended. */
  readonly system_prompt: string | null
  readonly inherit_host_tools: boolean
  /** Its effective caps: the smaller of what was asked and what the user granted. */
  readonly caps: SessionCaps
  /** As it was last written; what time has made of it since writes `current` down. */
  readonly state: Exclude<SessionState, 'deleted'>
  readonly created_at: number
  /** Orders the sessions that one host made in the same millisecond. */
  readonly nth: number
  readonly last_active_at: number
  /** The end of its idle window. */
  readonly expires_at: number
  readonly max_lifetime_at: number
  readonly idle_ttl_ms: number
  /** Runs of the UTC day that began at `day`, in days since the epoch; counted where `max_runs_per_day` is set. */
  readonly day: number
  readonly runs_today: number
  /** When it left `active`; `null` before. */
  readonly ended_at: number | null
  /** When the sweeper looks at it next. */
  readonly due_at: number
}

/** The caps of a session; the number of tokens is always known. */
export interface SessionCaps {
  readonly max_tokens_per_call: number
  readonly max_runs_per_day?: number | undefined
  readonly max_concurrent_runs: number
}

/** The record of a session. */
export type SessionRecord = StoreRecord<SessionRow>

export const sessions = collection({
  name: 'sessions',
  row: {} as SessionRow,
  indexes: {
    byApp: (row) => [row.user_id, row.app_id, row.created_at, row.nth],
    byUser: (row) => [row.user_id, row.created_at, row.nth],
    activeByApp: (row) => (isActive(row) ? [row.user_id, row.app_id, row.created_at, row.nth] : null),
    activeByUser: (row) => (isActive(row) ? [row.user_id, row.created_at, row.nth] : null),
    activeByWindow: (row) => (isActive(row) && row.window_uuid !== null ? [row.window_uuid] : null),
    endedByApp: (row) => (row.ended_at === null ? null : [row.user_id, row.app_id, row.ended_at]),
    endedByUser: (row) => (row.ended_at === null ? null : [row.user_id, row.ended_at]),
    dueAt: (row) => [row.due_at],
  },
})

/** Whether a run or a refresh may still find it, by what was last written. */
export const isActive = ({ state }: Pick<SessionRow, 'state'>): boolean =>
  session.next(state, 'touch') !== null
