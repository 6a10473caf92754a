import type { WorkServices } from '../services.ts'
import type { SessionRecord } from './session-row.ts'
import { isActive } from './session-row.ts'
import type { Sessions, UserSession, UserSessions } from './sessions.ts'
import { sessionEntryOf } from './view.ts'

/** Opens the sessions of a user over all apps, as the user's page lists and ends them. */
export function openUserSessions(
  services: Pick<WorkServices, 'clock' | 'limits' | 'runs'>,
  sessions: Pick<Sessions, 'list' | 'revoke' | 'tokenExpiresIn'>,
): UserSessions {
  async function show(record: SessionRecord): Promise<UserSession> {
    const { id, row } = record
    const now = services.clock.now()
    const isOn = isActive(row)
    const left = (at: number) => (isOn ? Math.max(0, Math.floor((at - now) / 1_000)) : 0)
    return {
      ...sessionEntryOf(record),
      app_id: row.app_id,
      expires_in: isOn ? sessions.tokenExpiresIn(id) : 0,
      idle_expires_in: left(row.expires_at),
      max_lifetime_in: left(row.max_lifetime_at),
      active_runs: isOn ? await services.runs.activeOf(id) : 0,
    }
  }
  return {
    async list(userId, { includeExpired = false, limit = services.limits.SESSION_LIST_DEFAULT } = {}) {
      return Promise.all((await sessions.list({ userId }, { includeExpired, limit })).map(show))
    },
    end: (userId, uuid) => sessions.revoke({ userId }, uuid),
  }
}
