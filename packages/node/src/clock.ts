/** Where a rule gets its time and its timers, so that a test can hold both still. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number
  /** Calls `fn` once after `ms` milliseconds; what it returns takes the timer back (twice is harmless). */
  setTimer(fn: () => void, ms: number): () => void
}

/** The longest wait Node's own timer takes, in ms; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's clock. Its timers keep the process alive, and waits of any length hold. */
export const keepAliveClock: Clock = clockOf((timer) => timer)

/** The machine's clock. Its timers never keep the process alive, and waits of any length hold. */
export const systemClock: Clock = clockOf((timer) => timer.unref())

function clockOf(setUp: (timer: NodeJS.Timeout) => NodeJS.Timeout): Clock {
  return {
    now: () => Date.now(),
    setTimer(fn, ms) {
      let timer: NodeJS.Timeout
      const wait = (left: number) => {
        const step = Math.min(left, LONGEST_TIMER_MS)
        timer = setUp(setTimeout(() => (left > step ? wait(left - step) : fn()), step))
      }
      wait(ms)
      return () => clearTimeout(timer)
    },
  }
}
