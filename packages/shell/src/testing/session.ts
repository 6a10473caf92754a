import type { Session } from '../state/session.ts'
import { after } from './job.ts'

/** The id of the session that `n` names. */
export const sessionId = (n: number): string => `aps_${String(n).padStart(32, '0')}`

/** A session that was made `n` ms after the tests began and has all its times left. */
export const sessionOf = (n: number, rest: Partial<Session> = {}): Session => ({
  app_session_uuid: sessionId(n),
  app_id: 'app-1',
  kind: 'agent',
  submode: 'auto',
  fixed_client_id: null,
  label: null,
  created_at: after(n),
  last_active_at: after(n),
  expires_at: after(n + 1_800_000),
  max_lifetime_at: after(n + 86_400_000),
  state: 'active',
  expires_in: 600,
  idle_expires_in: 1_800,
  max_lifetime_in: 86_400,
  active_runs: 0,
  ...rest,
})

/** The same one after its end. */
export const endedOf = (n: number, state: 'expired' | 'revoked', rest: Partial<Session> = {}): Session =>
  sessionOf(n, { state, expires_in: 0, idle_expires_in: 0, max_lifetime_in: 0, ...rest })
