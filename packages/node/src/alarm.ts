import type { Clock } from './clock.ts'

/** One wait at a time for an absolute moment. */
export interface Alarm {
  /** Calls `fn` once at `atMs` (Unix ms); a wait set before is forgotten. */
  set(atMs: number, fn: () => void): void
  /** Forgets the wait. */
  clear(): void
  /** Forgets the wait, lets go of the timer, and takes no other wait. */
  close(): void
}

/**
 * Makes an alarm that keeps its timer from one wait to the next.
 *
 * Calls have nearly the same deadline and nearly none reaches it. A timer that fires too early looks at the moment
 * again, so a call costs an assignment instead of a timer made and taken back.
 */
export function openAlarm(clock: Clock): Alarm {
  let due: { readonly atMs: number; readonly fn: () => void } | undefined
  let firesAtMs = Number.POSITIVE_INFINITY
  let isClosed = false
  let stop = () => {}

  const arm = (atMs: number) => {
    stop()
    firesAtMs = atMs
    stop = clock.setTimer(fire, Math.max(0, atMs - clock.now()))
  }
  const fire = () => {
    firesAtMs = Number.POSITIVE_INFINITY
    if (!due) return
    if (clock.now() < due.atMs) return arm(due.atMs)
    const { fn } = due
    due = undefined
    fn()
  }
  return {
    set(atMs, fn) {
      if (isClosed) return
      due = { atMs, fn }
      if (firesAtMs > atMs) arm(atMs)
    },
    clear() {
      due = undefined
    },
    close() {
      isClosed = true
      due = undefined
      stop()
      firesAtMs = Number.POSITIVE_INFINITY
    },
  }
}
