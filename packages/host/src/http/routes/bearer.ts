import { type ErrorCode, refuse } from '@svc/contract'
import type { House } from '../../house.ts'
import { type InstallRow, installId, type VersionRow } from '../../records.ts'
import { isActive, type SessionRecord } from '../../sessions/session-row.ts'
import { readRights } from '../../sessions/tool-rights.ts'

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
  APP_SESSION_TOKEN_EXPIRED: 'Refresh the session: the answer has a token of ten more minutes.',
} as const
const refused = (code: keyof typeof hints & ErrorCode) => refuse(code, undefined, { hint: hints[code] })

/**
 * Judges the session token of a request, before its body: the token alone, no cookie and no `Origin` (design §8). Errors:
 * `invalid_token` for what this host never minted; `session_expired` where the session or its app is gone; else by what
 * became of the session; `APP_SESSION_TOKEN_EXPIRED` where it lives on; `permission_denied` by the manifest of now.
 */
export async function readBearer(house: House, request: Request): Promise<Bearer> {
  const { copies, sessions, tokens } = house
  const text = SCHEME.exec(request.headers.get('authorization') ?? '')?.[1]
  const shown = text === undefined ? null : await tokens.inspect('session', text)
  if (!shown) throw refused('invalid_token')
  const { user_id, app_id, app_session_uuid } = shown.claims
  if (!(await copies.users.get(user_id))) throw refused('invalid_token')
  const owner = { userId: user_id, appId: app_id }
  const session = await sessions.find(owner, app_session_uuid)
  const install = session && (await copies.installs.get(installId(user_id, app_id)))
  if (!install) throw refused('session_expired')
  if (!isActive(session.row)) await sessions.active(owner, app_session_uuid)
  if (shown.expired) throw refused('APP_SESSION_TOKEN_EXPIRED')
  const { version } = await readRights(house, session)
  return { owner, session, version, install: install.row }
}
