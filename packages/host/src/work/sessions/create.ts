import { type Grants, type Limits, type QuotaCaps, refuse } from '@svc/contract'
import { each } from '@svc/state'
import { checkSignedIn, signOutsOf } from '../../access/users/sign-in.ts'
import { currentSession, revoke } from './ends.ts'
import { judgePrompt } from './prompt.ts'
import { type SessionCaps, type SessionRecord, type SessionRow, sessions } from './session-row.ts'
import type { SessionOrder, SessionParts } from './sessions.ts'
import { judgeSubmode } from './submode.ts'

/** How long a session of a kind may lie idle, and live in all. */
const lives = {
  agent: ['AGENT_IDLE_TTL_MS', 'AGENT_MAX_LIFETIME_MS'],
  complete: ['COMPLETE_IDLE_TTL_MS', 'COMPLETE_MAX_LIFETIME_MS'],
} as const satisfies Record<SessionRow['kind'], readonly [idle: keyof Limits, most: keyof Limits]>

/**
 * Makes a session; every call makes another one. Errors: `invalid_arg`, `permission_denied`, `APP_INVALID_REQUEST`,
 * `APP_QUOTA_EXCEEDED`.
 */
export async function createSession(parts: SessionParts, order: SessionOrder): Promise<SessionRecord> {
  const { clock, limits, newId, store } = parts
  const { userId, appId, install, kind } = order
  const signOuts = signOutsOf(await parts.copies.users.get(userId))
  const bound = await judgeSubmode(parts, order)
  if (order.systemPrompt !== null) judgePrompt(order.systemPrompt, limits)
  const [idle, most] = lives[kind]
  const caps = [
    { name: 'app', index: 'activeByApp', eq: [userId, appId], max: limits.SESSIONS_PER_APP },
    { name: 'user', index: 'activeByUser', eq: [userId], max: limits.SESSIONS_PER_USER },
  ] as const
  for (let isLastTry = false; ; isLastTry = true) {
    const now = clock.now()
    const max_lifetime_at = now + limits[most]
    const expires_at = Math.min(now + limits[idle], max_lifetime_at)
    const row: SessionRow = {
      user_id: userId,
      app_id: appId,
      window_uuid: order.windowUuid,
      plugin_id: order.pluginId,
      origin: order.origin,
      kind,
      ...bound,
      label: order.label,
      system_prompt: order.systemPrompt,
      inherit_host_tools: install.grants.agent?.inherit_host_tools === true,
      caps: effectiveCaps(order.caps, install.grants, limits),
      state: 'active',
      created_at: now,
      nth: parts.nextNth(),
      last_active_at: now,
      expires_at,
      max_lifetime_at,
      idle_ttl_ms: limits[idle],
      day: 0,
      runs_today: 0,
      ended_at: null,
      due_at: expires_at,
    }
    const inserted = await store.insert(sessions, newId('session'), row, { caps })
    if (inserted.ok) {
      const { id } = inserted.record
      await checkSignedIn(parts, userId, signOuts).catch(async (refused: unknown) => {
        await revoke(parts, { userId, appId }, id)
        throw refused
      })
      return inserted.record
    }
    if (!('full' in inserted)) continue
    if (isLastTry) throw tooMany(limits, inserted.full)
    await endDue(parts, userId)
  }
}

/** A session whose end has come takes no place, whether or not the sweeper came by. */
async function endDue(parts: SessionParts, userId: string): Promise<void> {
  for await (const record of each(parts.store, sessions, 'activeByUser', { eq: [userId] }))
    await currentSession(parts, record)
}

function tooMany(limits: Limits, full: string) {
  const max = full === 'app' ? limits.SESSIONS_PER_APP : limits.SESSIONS_PER_USER
  const where = full === 'app' ? ' in one app' : ''
  return refuse('APP_QUOTA_EXCEEDED', `a user may have ${max} active sessions${where}`, {
    quota: 'sessions',
    max,
    hint: 'Delete one with session.delete, or wait until one expires.',
  })
}

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
