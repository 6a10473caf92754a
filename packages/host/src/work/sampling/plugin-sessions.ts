import { refuse } from '@svc/contract'
import type { WorkServices } from '../services.ts'
import { noSuchSession } from '../sessions/parts.ts'
import type { SessionRecord } from '../sessions/session-row.ts'
import type { PluginSessions, Sampling } from './sampling.ts'

/** Opens the sessions of plugins; `services` is asked at the time of a request: `PLUGIN_SESSIONS_MAX` tokens are kept, those used longest ago go first. */
export function openPluginSessions(
  services: () => Pick<WorkServices, 'limits' | 'sessions' | 'tokens'>,
): PluginSessions {
  const kept = new Map<string, string>()
  const keyOf = ({ userId, plugin }: Sampling, uuid: string) => `${userId}\n${plugin.tool_id}\n${uuid}`

  const put = (key: string, token: string) => {
    kept.delete(key)
    kept.set(key, token)
    if (kept.size <= services().limits.PLUGIN_SESSIONS_MAX) return
    const oldest = kept.keys().next().value
    if (oldest !== undefined) kept.delete(oldest)
  }

  async function madeBy(sampling: Sampling, uuid: string): Promise<SessionRecord | null> {
    const { userId, appId, plugin } = sampling
    const record = await services().sessions.find({ userId, appId }, uuid)
    return record?.row.plugin_id === plugin.tool_id ? record : null
  }

  const self: PluginSessions = {
    async keep(sampling, session) {
      put(keyOf(sampling, session.id), (await services().sessions.token(session)).token)
    },
    async own(sampling, uuid) {
      const record = await madeBy(sampling, uuid)
      if (!record) throw noSuchSession()
      const key = keyOf(sampling, uuid)
      const token = kept.get(key)
      if (token === undefined || record.row.state === 'revoked') {
        kept.delete(key)
        throw refuse('session_expired', undefined, { hint: 'Make a new session with agent/session.create.' })
      }
      // A token lapses long before its session does: then it is minted anew.
      if (await services().tokens.verify('session', token)) put(key, token)
      else await self.keep(sampling, record)
      return record
    },
    async end(sampling, uuid, may) {
      const record = await madeBy(sampling, uuid)
      if (!record) return
      may(record)
      kept.delete(keyOf(sampling, uuid))
      await services().sessions.revoke(sampling, uuid)
    },
  }
  return self
}
