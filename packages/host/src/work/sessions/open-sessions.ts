import { createSession } from './create.ts'
import { activeSession, current } from './current.ts'
import { listSessions } from './list.ts'
import { openUserSessions } from './of-user.ts'
import { ownSession, type SessionParts, type SessionServices } from './parts.ts'
import { revoke, revokeAll } from './revoke.ts'
import { openSessionTokens } from './session-tokens.ts'
import type { Sessions } from './sessions.ts'
import { openSweep } from './sweep.ts'
import { slide, touch } from './touch.ts'

/** Opens the sessions of a host. They hold no timer: the sweeper calls `sweep`. */
export function openSessions(services: SessionServices): Sessions {
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
  const sessions: Omit<Sessions, 'ofUser'> = {
    create: (order) => createSession(parts, order),
    active: (owner, uuid) => activeSession(parts, owner, uuid),
    touch: (owner, uuid) => touch(parts, owner, uuid),
    slide: (uuid, { countRun = false } = {}) => slide(parts, uuid, countRun),
    revoke: (owner, uuid) => revoke(parts, owner, uuid),
    list: (owner, query) => listSessions(parts, owner, query),
    async find(owner, uuid) {
      const own = await ownSession(parts, owner, uuid)
      return own && current(parts, own)
    },
    token: minted.of,
    tokenExpiresIn: minted.secondsLeft,
    revokeAll: (userId, appId) => revokeAll(parts, userId, appId),
    sweep: openSweep(parts),
  }
  return { ...sessions, ofUser: openUserSessions(parts, sessions) }
}
