import type { Clock } from '../clock.ts'

/** A clock that stands still until a test moves it. */
export interface FrozenClock extends Clock {
  /**
   * Moves time on by `ms` and fires what falls due on the way, earliest first, each at its own time. Promises
   * settle between two timers, so a loop that sets its next timer after an `await` ticks as often as in life.
   */
  advance(ms: number): Promise<void>
  /** How many timers are set: 0 when everything was taken back. */
  readonly timers: number
}

interface Timer {
  at: number
  fn: () => void
}

/** Lets every promise that can settle now do so. */
const oneTurn = () => new Promise<void>((done) => setImmediate(done))

/** Makes a clock that shows `start` (Unix ms) and moves only when told; `settle` is awaited after each timer. */
export function frozenClock(start = Date.UTC(2026, 0, 1), settle = oneTurn): FrozenClock {
  let time = start
  const timers = new Set<Timer>()
  const due = (until: number) => {
    let first: Timer | undefined
    for (const timer of timers) if (timer.at <= until && (!first || timer.at < first.at)) first = timer
    return first
  }
  return {
    now: () => time,
    setTimer(fn, ms) {
      const timer = { at: time + Math.max(0, ms), fn }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      const until = time + ms
      for (let timer = due(until); timer; timer = due(until)) {
        timers.delete(timer)
        time = timer.at
        timer.fn()
        await settle()
      }
      time = until
      await settle()
    },
    get timers() {
      return timers.size
    },
  }
}
