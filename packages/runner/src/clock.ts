/** Where the rules of the runner get their time and their timers. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number
  /** Calls `fn` once after `ms` milliseconds; what it returns takes the timer back (twice is harmless). */
  setTimer(fn: () => void, ms: number): () => void
}

/** The longest wait Node's own timer takes, in ms; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's clock; waits past the longest timer (24.8 days) end there, which no call lives to see. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(fn, ms) {
    const timer = setTimeout(fn, Math.min(ms, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  },
}
