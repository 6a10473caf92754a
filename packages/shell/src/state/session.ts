import type { RouteAnswer } from '@svc/contract/route-client'
import { appOf, type StateRow } from './job.ts'
import type { App } from './state.ts'

/** An agent session as the host returns it to the page: its entry, whose it is, and what it has left. */
export type Session = RouteAnswer<'GET /api/v1/svc-apps/sessions'>['sessions'][number]

/** What a session is doing, which its state and its runs say together. */
export type SessionStatus = 'working' | 'resting' | 'expired' | 'revoked'

/** How each is spoken of. */
export const sessionStatuses: Readonly<Record<SessionStatus, StateRow>> = {
  working: { word: 'at work', said: 'is at work', tone: 'busy' },
  resting: { word: 'ready', said: 'is ready', tone: 'good' },
  expired: { word: 'expired', said: 'expired', tone: 'still' },
  revoked: { word: 'ended', said: 'was ended', tone: 'still' },
}

/** Whether a session has not ended. */
export const isOpen = ({ state }: Pick<Session, 'state'>): boolean => state === 'active'

/** What a session is doing. */
export function sessionStatus({ state, active_runs }: Pick<Session, 'state' | 'active_runs'>): SessionStatus {
  if (state !== 'active') return state
  return active_runs > 0 ? 'working' : 'resting'
}

/** The end of an id, by which two sessions without a label can be told apart. */
const ID_SHOWN = 6

/** What a session is called on its card: its label, else the end of its id. */
export const sessionTitle = ({ label, app_session_uuid }: Pick<Session, 'label' | 'app_session_uuid'>) =>
  label || `Session …${app_session_uuid.slice(-ID_SHOWN)}`

/** What a session is called in a sentence: `planning of Notes`. */
export const sessionName = (session: Session, apps: readonly App[]): string =>
  `${sessionTitle(session)} of ${appOf(session, apps).name}`

/** Who answers in it: an agent, the one plugin that it is bound to, or a model alone. */
export function agentText({ kind, submode, fixed_client_id }: Session): string {
  if (kind === 'complete') return 'completions'
  return submode === 'fixed' && fixed_client_id !== null ? fixed_client_id : 'agent'
}

/** How many runs it has: `2 runs`. */
export const runsText = ({ active_runs }: Pick<Session, 'active_runs'>): string =>
  `${active_runs} ${active_runs === 1 ? 'run' : 'runs'}`
