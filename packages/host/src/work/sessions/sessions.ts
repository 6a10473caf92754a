import type { QuotaCaps, SessionEntry } from '@svc/contract'
import type { InstallRow, VersionRow } from '../../catalog/records.ts'
import { eachOwned, type WorkOwner } from '../engine/work-owner.ts'
import type { WorkServices } from '../services.ts'
import { createSession } from './create.ts'
import { activeSession, currentSession, revoke, revokeAll } from './ends.ts'
import { ownSession } from './own-session.ts'
import { isActive, type SessionRecord, sessions } from './session-row.ts'
import { openSessionTokens, type SessionTokens } from './session-tokens.ts'
import { openSweep } from './sweep.ts'
import { slide, touch } from './touch.ts'
import { sessionEntryOf } from './view.ts'

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
  /** The app that made it. */
  readonly app_id: string
  /** Whole seconds left of its token, its idle window and its longest life; 0 once it has ended. */
  readonly expires_in: number
  /** Whole seconds left of its idle window; 0 once it has ended. */
  readonly idle_expires_in: number
  /** Whole seconds left of its longest life; 0 once it has ended. */
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
  /** Ends a session of the user; one that is not there or not the user's is ignored. */
  end(userId: string, uuid: string): Promise<void>
}

/** What sessions need of other services. Runs and sessions know each other: which runs there are is asked later. */
export type SessionServices = Pick<
  WorkServices,
  'clock' | 'copies' | 'limits' | 'log' | 'newId' | 'plugins' | 'store' | 'tokens' | 'toolSessions'
> & { readonly activeRuns: () => WorkServices['runs'] }

/** The services of sessions, with the tokens that this host minted. */
export interface SessionParts extends SessionServices {
  readonly runs: WorkServices['runs']
  readonly minted: SessionTokens
  /** Counts the sessions that this host makes. */
  readonly nextNth: () => number
}

/** Which sessions are wanted, and how many. */
interface SessionQuery {
  readonly includeExpired: boolean
  readonly limit: number
}

/**
 * Opens the agent sessions of a host: what handlers, routes, runs and the sweeper do with them. They hold no timer: the
 * sweeper calls `sweep`.
 */
export function openSessions(services: SessionServices) {
  let made = 0
  const minted = openSessionTokens(services)
  const parts: SessionParts = {
    ...services,
    minted,
    nextNth: () => ++made,
    get runs() {
      return services.activeRuns()
    },
  }

  async function show(record: SessionRecord): Promise<UserSession> {
    const { id, row } = record
    const now = services.clock.now()
    const isOn = isActive(row)
    const left = (at: number) => (isOn ? Math.max(0, Math.floor((at - now) / 1_000)) : 0)
    return {
      ...sessionEntryOf(record),
      app_id: row.app_id,
      expires_in: isOn ? minted.secondsLeft(id) : 0,
      idle_expires_in: left(row.expires_at),
      max_lifetime_in: left(row.max_lifetime_at),
      active_runs: isOn ? await parts.runs.activeOf(id) : 0,
    }
  }
  const ofUser: UserSessions = {
    async list(userId, { includeExpired = false, limit = services.limits.SESSION_LIST_DEFAULT } = {}) {
      return Promise.all((await listSessions(parts, { userId }, { includeExpired, limit })).map(show))
    },
    end: (userId, uuid) => revoke(parts, { userId }, uuid),
  }

  return {
    /**
     * Makes a session. Errors: `invalid_arg`, `permission_denied` (submode, fixed client), `APP_INVALID_REQUEST`
     * (prompt), `APP_QUOTA_EXCEEDED`.
     */
    create: (order: SessionOrder): Promise<SessionRecord> => createSession(parts, order),
    /**
     * A session of this owner that is active now. Errors: `APP_SESSION_NOT_FOUND` (foreign ones too),
     * `APP_SESSION_EXPIRED`, `APP_SESSION_REVOKED`.
     */
    active: (owner: WorkOwner, uuid: string): Promise<SessionRecord> => activeSession(parts, owner, uuid),
    /**
     * Moves the idle end on, in one conditional write, never past the longest life. Errors: those of
     * `active`.
     */
    touch: (owner: WorkOwner, uuid: string): Promise<SessionRecord> => touch(parts, owner, uuid),
    /**
     * Moves the idle end on for a run that is queued or running; `null` when the session is not active any more. The
     * idle end spares such a run, so the last slide comes before the run leaves its active states. `countRun` also counts
     * one run of the day. Errors: `APP_QUOTA_EXCEEDED`.
     */
    slide: (uuid: string, { countRun = false }: { countRun?: boolean } = {}): Promise<SessionRecord | null> =>
      slide(parts, uuid, countRun),
    /** Ends a session, cancels its runs, forgets its token; idempotent, and without effect on a foreign one. */
    revoke: (owner: WorkOwner, uuid: string): Promise<void> => revoke(parts, owner, uuid),
    list: (owner: WorkOwner, query: SessionQuery): Promise<SessionRecord[]> =>
      listSessions(parts, owner, query),
    /** A session of this owner whatever became of it; `null` where there is none. */
    async find(owner: WorkOwner, uuid: string): Promise<SessionRecord | null> {
      const own = await ownSession(parts, owner, uuid)
      return own && currentSession(parts, own)
    },
    /** Mints the token of a session; `expiresIn` is whole seconds. */
    token: minted.of,
    /** Whole seconds that the token of a session has left: minted on demand, so its full life where none was. */
    tokenExpiresIn: minted.secondsLeft,
    ofUser,
    /** Ends what an app of a user has: it was uninstalled. */
    revokeAll: (userId: string, appId: string): Promise<void> => revokeAll(parts, userId, appId),
    /** Expires, revokes and purges what is due, and ends the sessions of closed windows; the sweeper calls it. */
    sweep: openSweep(parts),
  }
}

export type Sessions = ReturnType<typeof openSessions>

/** Lists sessions, newest first; ends that have come are written down first, so no list shows what is over as active. */
async function listSessions(
  parts: SessionParts,
  owner: WorkOwner,
  { includeExpired, limit }: SessionQuery,
): Promise<SessionRecord[]> {
  const found: SessionRecord[] = []
  const indexes = includeExpired ? (['byUser', 'byApp'] as const) : (['activeByUser', 'activeByApp'] as const)
  for await (const record of eachOwned(parts.store, sessions, indexes, owner, { order: 'desc', limit })) {
    const now = await currentSession(parts, record)
    if (now && (includeExpired || isActive(now.row))) found.push(now)
    if (found.length === limit) break
  }
  return found
}
