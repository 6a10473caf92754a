import type { QuotaCaps, SessionEntry } from '@svc/contract'
import type { InstallRow, VersionRow } from '../../catalog/records.ts'
import type { SessionRecord } from './session-row.ts'

/** Whose sessions: those of a user in one app, or over all apps, which is for the user's page alone. */
export interface SessionOwner {
  readonly userId: string
  readonly appId?: string
}

/** What a session is made of; nothing in it was judged but its types. */
export interface SessionOrder {
  readonly userId: string
  readonly appId: string
  readonly version: VersionRow
  readonly install: InstallRow
  readonly windowUuid: string | null
  /** The origin that the call which makes it came to, for URLs that tools of the session answer. */
  readonly origin?: string
  readonly pluginId: string | null
  readonly kind: 'agent' | 'complete'
  readonly submode: 'auto' | 'fixed' | null
  readonly fixedClientId: string | null
  readonly label: string | null
  readonly systemPrompt: string | null
  readonly caps: QuotaCaps
}

/** A session on the user's page: over all apps, so each says whose it is. */
export type UserSession = SessionEntry & {
  readonly app_id: string
  /** Whole seconds left of its token, its idle window and its longest life; 0 once it has ended. */
  readonly expires_in: number
  readonly idle_expires_in: number
  readonly max_lifetime_in: number
  /** Runs that wait or run. */
  readonly active_runs: number
}

/** What the programmatic twins of the page's routes do with sessions. */
export interface UserSessions {
  /** Lists the sessions of the user over all apps, newest first. */
  list(
    userId: string,
    query?: {
      /** Lists those that have ended too. */
      includeExpired?: boolean
      /** The most sessions to return. */
      limit?: number
    },
  ): Promise<UserSession[]>
  /** Ends a session of the user; one that is not there or not the user's is no matter. */
  end(userId: string, uuid: string): Promise<void>
}

/** Agent sessions: what handlers, routes, runs and the sweeper do with them. */
export interface Sessions {
  /**
   * Makes a session. Errors: `invalid_arg`, `permission_denied` (submode, fixed client), `APP_INVALID_REQUEST`
   * (prompt), `APP_QUOTA_EXCEEDED`.
   */
  create(order: SessionOrder): Promise<SessionRecord>
  /**
   * A session of this owner that is active now. Errors: `APP_SESSION_NOT_FOUND` (foreign ones too),
   * `APP_SESSION_EXPIRED`, `APP_SESSION_REVOKED`.
   */
  active(owner: SessionOwner, uuid: string): Promise<SessionRecord>
  /**
   * Moves the idle end on, in one conditional write, never past the longest life. Errors: those of
   * `active`.
   */
  touch(owner: SessionOwner, uuid: string): Promise<SessionRecord>
  /**
   * Moves the idle end on for a run that is queued or running; `null` when the session is not active any more. The
   * idle end spares such a run, so the last slide comes before the run leaves its active states. `countRun` also counts
   * one run of the day. Errors: `APP_QUOTA_EXCEEDED`.
   */
  slide(uuid: string, options?: { countRun?: boolean }): Promise<SessionRecord | null>
  /** Ends a session, cancels its runs, forgets its token; idempotent, and without effect on a foreign one. */
  revoke(owner: SessionOwner, uuid: string): Promise<void>
  list(owner: SessionOwner, query: { includeExpired: boolean; limit: number }): Promise<SessionRecord[]>
  /** A session of this owner whatever became of it; `null` where there is none. */
  find(owner: SessionOwner, uuid: string): Promise<SessionRecord | null>
  /** Mints the token of a session; `expiresIn` is whole seconds. */
  token(record: SessionRecord): Promise<{ token: string; expiresIn: number }>
  /** Whole seconds that the token of a session has left: minted on demand, so its full life where none was. */
  tokenExpiresIn(uuid: string): number
  readonly ofUser: UserSessions
  /** Ends what an app of a user has: it was uninstalled. */
  revokeAll(userId: string, appId: string): Promise<void>
  /** Expires, revokes and purges what is due, and ends the sessions of closed windows; the sweeper calls it. */
  sweep(): Promise<void>
}
