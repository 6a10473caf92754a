import { SESSION_LIST_MAX } from '@svc/contract/browser'
import { isOpen, type Session, sessionName, standingOf, standings } from './session.ts'
import type { App } from './state.ts'

/** What the page knows of the user's sessions. */
export interface SessionsState {
  /** The active ones first, each part with the newest first. */
  readonly list: readonly Session[]
  /** There may be more than the host tells at once. */
  readonly full: boolean
}

/**
 * Puts the active ones, and all where they were asked for, into one list. Who is told as active and then as ended has ended.
 */
export function takeSessions(active: readonly Session[], all: readonly Session[] | null): SessionsState {
  const told = new Map([...active, ...(all ?? [])].map((one) => [one.app_session_uuid, one]))
  const full = active.length >= SESSION_LIST_MAX || (all?.length ?? 0) >= SESSION_LIST_MAX
  return { list: [...told.values()].sort(inOrder), full }
}

/** Those of the same moment stay in the order of the host. */
const inOrder = (a: Session, b: Session): number =>
  Number(isOpen(b)) - Number(isOpen(a)) || Date.parse(b.created_at) - Date.parse(a.created_at)

/**
 * What somebody who cannot see the list should hear of a change, by the id of the session: which began, which ended,
 * and whether they are at work. Times that pass are no news.
 */
export function sessionNews(
  before: SessionsState,
  after: SessionsState,
  apps: readonly App[],
): ReadonlyMap<string, string> {
  const news = new Map<string, string>()
  const known = new Map(before.list.map((one) => [one.app_session_uuid, one]))
  for (const session of after.list) {
    const id = session.app_session_uuid
    const old = known.get(id)
    const standing = standingOf(session)
    const changed = old ? standingOf(old) !== standing : isOpen(session)
    if (changed) news.set(id, `${sessionName(session, apps)} ${standings[standing].said}`)
    known.delete(id)
  }
  // Behind the end of a list that was cut it may still stand.
  for (const session of known.values())
    if (isOpen(session) && !after.full)
      news.set(session.app_session_uuid, `${sessionName(session, apps)} has ended`)
  return news
}
