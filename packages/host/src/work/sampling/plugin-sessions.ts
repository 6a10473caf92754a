import { refuse } from '@svc/contract'
import type { WorkServices } from '../services.ts'
import { noSuchSession } from '../sessions/own-session.ts'
import type { SessionRecord } from '../sessions/session-row.ts'
import type { Sampling } from './samplings.ts'

/**
 * Opens the sessions that plugins made: a plugin reaches its own, by the token that this host keeps of each. `services` is
 * asked at the time of a request: `PLUGIN_SESSIONS_MAX` tokens are kept, those used longest ago go first.
 */
export function openPluginSessions(services: () => Pick<WorkServices, 'limits' | 'sessions' | 'tokens'>) {
  const kept = new Map<string, string>()
  /** Sessions whose token had to make room here; as many are remembered. */
  const dropped = new Set<string>()
  const keyOf = ({ userId, plugin }: Sampling, uuid: string) => `${userId}\n${plugin.tool_id}\n${uuid}`

  const put = (key: string, token: string) => {
    const max = services().limits.PLUGIN_SESSIONS_MAX
    kept.delete(key)
    kept.set(key, token)
    if (kept.size <= max) return
    const [oldest = ''] = kept.keys()
    kept.delete(oldest)
    dropped.add(oldest)
    const [first = ''] = dropped
    if (dropped.size > max) dropped.delete(first)
  }

  async function madeBy(sampling: Sampling, uuid: string): Promise<SessionRecord | null> {
    const { userId, appId, plugin } = sampling
    const record = await services().sessions.find({ userId, appId }, uuid)
    return record?.row.plugin_id === plugin.tool_id ? record : null
  }

  /** Mints the token of a session that the plugin of this call made, and keeps it. */
  async function keep(sampling: Sampling, session: SessionRecord): Promise<void> {
    put(keyOf(sampling, session.id), (await services().sessions.token(session)).token)
  }

  return {
    keep,
    /**
     * A session that this plugin made for this user and app. Errors: `APP_SESSION_NOT_FOUND` (any other, too);
     * `session_expired`, where it was deleted or its token had to make room.
     */
    async own(sampling: Sampling, uuid: string): Promise<SessionRecord> {
      const record = await madeBy(sampling, uuid)
      if (!record) throw noSuchSession()
      const key = keyOf(sampling, uuid)
      const token = kept.get(key)
      if (dropped.has(key) || record.row.state === 'revoked') {
        kept.delete(key)
        throw refuse('session_expired', undefined, { hint: 'Make a new session with agent/session.create.' })
      }
      // A token lapses long before its session does, and another host may have minted it: then it is minted again.
      if (token !== undefined && (await services().tokens.verify('session', token))) put(key, token)
      else await keep(sampling, record)
      return record
    },
    /** Ends one; of one that is not this plugin's nothing happens. `may` is asked first. */
    async end(sampling: Sampling, uuid: string, may: (session: SessionRecord) => void): Promise<void> {
      const record = await madeBy(sampling, uuid)
      if (!record) return
      may(record)
      kept.delete(keyOf(sampling, uuid))
      await services().sessions.revoke(sampling, uuid)
    },
  }
}
