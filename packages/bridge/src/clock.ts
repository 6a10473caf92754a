/** Time as the bridge uses it: `now` is Unix time in ms, by which tokens live through a laptop's sleep. */
export interface Clock {
  /** Returns the Unix time in ms. */
  now(): number
  /** Runs something once, `ms` from now; returns what `clearTimeout` takes. */
  setTimeout(run: () => void, ms: number): unknown
  /** Takes back a timer that has not fired. */
  clearTimeout(timer: unknown): void
}

/** The page's own clock. */
export const systemClock: Clock = {
  now: Date.now,
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as number),
}
