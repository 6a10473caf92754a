import { SESSION_LIST_MAX } from '@svc/contract/browser'
import { isOpen, type Session, sessionName, standingOf, standings } from './session.ts'
import type { App } from './state.ts'

/** What the page knows of the user's sessions while their panel is open; nothing while it is shut. */
export interface SessionsState {
  /** The active ones first, each part with the newest first. */
  readonly list: readonly Session[]
  /** There may be more than the host tells at once. */
  readonly full: boolean
  /** The user wants to see those that have ended. */
  readonly withEnded: boolean
  /** When the host told the list, in Unix ms of the page's clock; `null`: not yet. */
  readonly readAt: number | null
  /** The time that the list is shown for, in Unix ms of the page's clock. */
  readonly shownAt: number
  /** Why the host does not tell them now: the list is how it was, and may be wrong by now. */
  readonly problem: string | null
  /** The ids of those that the host was asked to end and has not answered for. */
  readonly ending: readonly string[]
}

/** Nothing is known of any session. */
export const noSessions: SessionsState = {
  list: [],
  full: false,
  withEnded: false,
  readAt: null,
  shownAt: 0,
  problem: null,
  ending: [],
}

/** What the host told at one time: the active ones, and all, where the ended ones were asked for. */
export interface SessionsTold {
  readonly active: readonly Session[]
  readonly all: readonly Session[] | null
}

/**
 * Puts what the host told in the place of what was known. One that has ended stays the same object, so that nobody
 * draws it again. Who is told as active and then as ended has ended.
 */
export function takeSessions(
  before: SessionsState,
  { active, all }: SessionsTold,
  at: number,
): SessionsState {
  const known = new Map(before.list.map((one) => [one.app_session_uuid, one]))
  const told = new Map([...active, ...(all ?? [])].map((one) => [one.app_session_uuid, one]))
  const list = [...told.values()].map((one) => same(known.get(one.app_session_uuid), one)).sort(inOrder)
  const full = active.length >= SESSION_LIST_MAX || (all?.length ?? 0) >= SESSION_LIST_MAX
  return { ...before, list, full, readAt: at, shownAt: at, problem: null }
}

const same = (old: Session | undefined, told: Session): Session =>
  old && !isOpen(told) && old.state === told.state ? old : told

/** Those of the same moment stay in the order of the host. */
const inOrder = (a: Session, b: Session): number =>
  Number(isOpen(b)) - Number(isOpen(a)) || Date.parse(b.created_at) - Date.parse(a.created_at)

/**
 * What somebody who cannot see the list should hear of a change, by the id of the session: which began, which ended,
 * and whether they are at work. Times that pass are no news, and neither is the first list of all.
 */
export function sessionNews(
  before: SessionsState,
  after: SessionsState,
  apps: readonly App[],
): ReadonlyMap<string, string> {
  const news = new Map<string, string>()
  if (before.readAt === null) return news
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
