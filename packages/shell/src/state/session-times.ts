import { lengthText } from './length.ts'
import type { Session } from './session.ts'

const SECOND_MS = 1_000
/** An end that is nearer than this is pointed out. */
export const LATE_MS = 60_000

/** The times that an active session has left, `passed` ms after the host told it; `late`: one ends it soon. */
export function countdownsOf(session: Session, passed: number) {
  const left = (seconds: number) => Math.max(0, seconds * SECOND_MS - passed)
  const held = session.active_runs > 0
  const token = left(session.expires_in)
  const idle = left(session.idle_expires_in)
  const life = left(session.max_lifetime_in)
  return [
    // A lapsed token harms nobody: the next call has another one.
    { name: 'Token', text: token > 0 ? lengthText(token) : 'with the next call', late: false },
    { name: 'Idle window', text: held ? 'held open' : leftText(idle), late: !held && idle < LATE_MS },
    { name: 'Lifetime', text: leftText(life), late: life < LATE_MS },
  ]
}

/** In how many ms the first of these sessions ends by itself, as the host told them; `Infinity`: none does. */
export function soonestEnd(sessions: readonly Session[]): number {
  const ends = sessions.map(({ active_runs, idle_expires_in, max_lifetime_in }) =>
    active_runs > 0 ? max_lifetime_in : Math.min(idle_expires_in, max_lifetime_in),
  )
  return Math.min(...ends) * SECOND_MS
}

const leftText = (ms: number): string => (ms > 0 ? lengthText(ms) : 'over')
