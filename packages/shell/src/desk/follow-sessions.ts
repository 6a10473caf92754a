import { BridgeError } from '@svc/bridge'
import { everySecond } from '../state/every-second.ts'
import { gatherNews } from '../state/gather-news.ts'
import { createPace } from '../state/pace.ts'
import type { DeskParts } from '../state/parts.ts'
import { isOpen } from '../state/session.ts'
import { soonestEnd } from '../state/session-times.ts'
import { noSessions, type SessionsState, sessionNews, takeSessions } from '../state/sessions.ts'
import { signInAgain } from '../windows/sign-in.ts'

/** A session of another page tells nothing here: the open panel asks this often. */
export const READ_SESSIONS_MS = 10_000
/** An end that the host told in whole seconds has come after so much more. */
const ROUNDING_MS = 1_000

/** The panel in which sessions stand. */
export const SESSIONS_PANEL = 'sessions'

/** The frames with which the runs of a session become more or fewer; those between tell nothing of it. */
const edges: ReadonlySet<unknown> = new Set(['queued', 'started', 'end'])

/** Keeps the list of sessions true while somebody looks at it. */
export interface SessionFollower {
  /** Reads the list now, or as soon as the reading under way is over; nothing while the panel is shut. */
  read(): void
  stop(): void
}

/**
 * Reads the user's sessions while their panel is open: when it opens, when a window comes or goes, at the edges of the
 * runs that the bridge hears of, when an end is due, and now and then. While it is shut nothing is asked and nothing
 * kept: an old countdown would be a wrong one.
 */
export function followSessions(parts: DeskParts): SessionFollower {
  const { api, bridge, store, now, later, say } = parts
  const news = gatherNews(later, say, 'sessions')
  const seen = { open: false, withEnded: false, windows: '' }
  let over = false
  /** Counts who looks: what was asked for somebody before is dropped. */
  let turn = 0

  const sessions = () => store.get().sessions
  const active = () => sessions().list.filter(isOpen)
  const change = (to: Partial<SessionsState>) =>
    store.set((state) => ({ ...state, sessions: { ...state.sessions, ...to } }))

  const tick = everySecond(parts, {
    wanted: () => !over && seen.open && active().length > 0,
    work: () => change({ shownAt: now() }),
  })
  const pace = createPace(parts, async () => {
    if (!seen.open) return null
    const mine = turn
    try {
      await tell(mine)
    } catch (error) {
      if (mine === turn) await fail(error)
    }
    if (!seen.open) return null
    return Math.min(READ_SESSIONS_MS, soonestEnd(active()) + ROUNDING_MS)
  })

  async function tell(mine: number): Promise<void> {
    const told = {
      active: await api.sessions(false),
      all: seen.withEnded ? await api.sessions(true) : null,
    }
    if (mine !== turn) return
    const before = sessions()
    const after = takeSessions(before, told, now())
    change(after)
    news.add(sessionNews(before, after, store.get().apps))
    tick()
  }

  async function fail(error: unknown): Promise<void> {
    change({ problem: error instanceof Error ? error.message : String(error) })
    if (error instanceof BridgeError && error.code === 'invalid_token') await signInAgain(parts)
  }

  const read = () => {
    if (seen.open) pace.read()
  }
  const readSoon = () => {
    if (seen.open) pace.soon()
  }

  /** Looks whether anybody looks, at what, and which windows there are. */
  function look(): void {
    const { signIn, panel, windows } = store.get()
    const { withEnded } = sessions()
    const before = { ...seen }
    seen.open = signIn.phase === 'in' && panel === SESSIONS_PANEL
    seen.withEnded = withEnded
    seen.windows = windows.map(({ uuid }) => uuid).join()
    if (before.open && !seen.open) {
      turn += 1
      news.forget()
      change({ ...noSessions, withEnded })
    }
    if (seen.open !== before.open || seen.withEnded !== before.withEnded) read()
    else if (seen.windows !== before.windows) readSoon()
  }

  const stops = [
    store.subscribe(look),
    bridge.on('rpc.stream', ({ payload }) => {
      if (edges.has(payload.event)) readSoon()
    }),
    bridge.on('host_lost', () => {
      if (seen.open) change({ problem: 'the host is gone' })
    }),
    bridge.on('host_back', read),
    bridge.on('reset', read),
  ]
  look()

  return {
    read,
    stop() {
      over = true
      turn += 1
      pace.stop()
      for (const stop of stops) stop()
    },
  }
}
