/** Where the runner tells what it sees; a pino logger fits. */
export interface Log {
  /** Logs what helps to find a fault. */
  debug(fields: object, message: string): void
  /** Logs what happened. */
  info(fields: object, message: string): void
  /** Logs what should not happen. */
  warn(fields: object, message: string): void
}

/** Says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {} }

/**
 * Lets at most `perSecond` records a second through and counts the rest.
 *
 * `pass()` says whether this one may be written, and `dropped` how many were not since the last one that was.
 */
export function logBudget(perSecond: number, now: () => number) {
  let second = Number.NEGATIVE_INFINITY
  let used = 0
  let dropped = 0
  return {
    pass(): { dropped: number } | undefined {
      const time = now()
      if (time - second >= 1_000) {
        second = time
        used = 0
      }
      if (used >= perSecond) {
        dropped++
        return undefined
      }
      used++
      const before = dropped
      dropped = 0
      return { dropped: before }
    },
  }
}
