import { type ErrorCode, refuse } from '@svc/contract'
import { type InstallRow, installId, type VersionRow } from '../../../catalog/records.ts'
import { isActive, type SessionRecord } from '../../../work/sessions/session-row.ts'
import { readRights } from '../../../work/sessions/tool-rights.ts'
import type { RouteContext, RouteParts } from './env.ts'
import { onLeave, reserveBody, routeHead } from './rated.ts'

/** Who shows a session token: its session, and what its user's app may do now. */
export interface Bearer {
  readonly owner: { readonly userId: string; readonly appId: string }
  readonly session: SessionRecord
  readonly version: VersionRow
  readonly install: InstallRow
}

const SCHEME = /^Bearer +(\S+) *$/i

const hints = {
  invalid_token: 'Send the app_session_token of a session as Authorization: Bearer.',
  session_expired: 'Create a new session.',
  APP_SESSION_TOKEN_EXPIRED: 'Refresh the session: the response has a token for ten more minutes.',
} as const
const refused = (code: keyof typeof hints & ErrorCode) => refuse(code, undefined, { hint: hints[code] })

/**
 * Judges the session token of a request, before its body: the token alone, no cookie and no `Origin`. Errors:
 * `invalid_token` for what this host never minted; `session_expired` where the session or its app is gone; else by what
 * became of the session; `APP_SESSION_TOKEN_EXPIRED` where it lives on; `permission_denied` by the manifest of now.
 */
export async function readBearer(
  { services, bodies }: Pick<RouteParts, 'services' | 'bodies'>,
  c: RouteContext,
): Promise<Bearer> {
  const { copies, limiter, sessions, tokens, users } = services
  const head = routeHead(c)
  limiter.checkUnspent('refused', head)
  const text = SCHEME.exec(head.get('authorization') ?? '')?.[1]
  const shown = text === undefined ? null : await tokens.inspect('session', text)
  if (!shown) {
    limiter.consumeFrom('refused', head)
    throw refused('invalid_token')
  }
  const { user_id, app_id, app_session_uuid } = shown.claims
  const whose = { userId: user_id, appId: app_id }
  onLeave(c, services.underWay.enter(whose, () => c.req.raw.signal).leave)
  limiter.consume(c.get('rate') ?? 'route', user_id, app_id)
  const bytes = Number(c.req.raw.headers.get('content-length') ?? 0)
  // A longer one is read when no other one of its user is.
  const turn = bytes <= services.limits.RPC_BODY_MAX_BYTES ? reserveBody(c, bodies, user_id) : null
  if (turn) await turn
  if (!(await users.active(user_id))) throw refused('invalid_token')
  const session = await sessions.find(whose, app_session_uuid)
  const install = session && (await copies.installs.get(installId(user_id, app_id)))
  if (!install) throw refused('session_expired')
  if (!isActive(session.row)) await sessions.active(whose, app_session_uuid)
  if (shown.expired) throw refused('APP_SESSION_TOKEN_EXPIRED')
  const { version } = await readRights(services, session)
  return { owner: whose, session, version, install: install.row }
}
