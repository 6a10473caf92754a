import { SESSION_LIST_MAX } from '@svc/contract/browser'
import { newsBetween } from './gather-news.ts'
import { isOpen, type Session, sessionName, sessionStatus, sessionStatuses } from './session.ts'
import type { App } from './state.ts'

/** What the page knows of the user's sessions. */
export type SessionsState = ReturnType<typeof takeSessions>

/**
 * Puts the active ones, and all where they were asked for, into one list: the active ones first, each part with the
 * newest first. `full`: there may be more than the host returns at once. A job or session that is listed as active and
 * as ended has ended.
 */
export function takeSessions(active: readonly Session[], all: readonly Session[] | null) {
  const told = new Map([...active, ...(all ?? [])].map((one) => [one.app_session_uuid, one]))
  const full = active.length >= SESSION_LIST_MAX || (all?.length ?? 0) >= SESSION_LIST_MAX
  return { list: [...told.values()].sort(inOrder), full }
}

/** Those of the same moment stay in the order of the host. */
const inOrder = (a: Session, b: Session): number =>
  Number(isOpen(b)) - Number(isOpen(a)) || Date.parse(b.created_at) - Date.parse(a.created_at)

/**
 * What a screen reader should announce of a change: which began, which ended, and whether they are at work. Times that
 * pass are no news, and neither is a session behind the end of a list that was cut.
 */
export const sessionNews = (before: SessionsState, after: SessionsState, apps: readonly App[]) =>
  newsBetween(before.list, after.list, ({ app_session_uuid }) => app_session_uuid, {
    of(session, old) {
      const standing = sessionStatus(session)
      const isNews = old ? sessionStatus(old) !== standing : isOpen(session)
      return isNews ? `${sessionName(session, apps)} ${sessionStatuses[standing].said}` : null
    },
    gone: (session) => (isOpen(session) && !after.full ? `${sessionName(session, apps)} has ended` : null),
  })
