import type { Clock } from './clock.ts'

/** A time that somebody waits for, and that can come closer while they wait. */
export interface Alarm {
  /** Sets the time, in ms of the clock, unless an earlier one is set. */
  set(at: number): void
  /** Resolves when the time is there, and forgets it; at once after `end()`. One wait at a time. */
  wait(): Promise<void>
  /** Ends the wait for good; no timer is left. */
  end(): void
}

/** Makes one that has no time yet. A time that is there already needs no timer: those of a hidden tab are late. */
export function createAlarm(clock: Clock): Alarm {
  let due = Number.POSITIVE_INFINITY
  let ended = false
  let timer: unknown
  let ring: (() => void) | undefined

  function check(): void {
    clock.clearTimeout(timer)
    const ms = due - clock.now()
    if (ended || ms <= 0) ring?.()
    else if (ring && Number.isFinite(ms)) timer = clock.setTimeout(check, ms)
  }

  return {
    set(at) {
      due = Math.min(due, at)
      check()
    },
    async wait() {
      await new Promise<void>((done) => {
        ring = done
        check()
      })
      ring = undefined
      due = Number.POSITIVE_INFINITY
    },
    end() {
      ended = true
      check()
    },
  }
}
