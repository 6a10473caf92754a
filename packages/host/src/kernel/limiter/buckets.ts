/** Token buckets of one class by key, such as a user or an address. */
export interface Buckets {
  /**
   * Takes `count` tokens (as many as a bucket holds, where that is less); 0: they were there. Else the ms, from 1 on,
   * after which they will be, and none is taken.
   */
  take(key: string, count?: number): number
  /**
   * Takes `count` tokens, also those that are not there yet. The ms to wait: until all that was owed before and one more are
   * there, at most `maxMs`. More than that is not owed.
   */
  owe(key: string, count: number, maxMs: number): number
  /** The ms until one token will be there; takes none. */
  wait(key: string): number
  /** Keys that are kept. */
  readonly size: number
}

/** What a bucket is made of. */
export interface BucketSize {
  /** Tokens that come in a second. */
  readonly perSecond: number
  /** Tokens that a bucket holds. */
  readonly burst: number
  /** Keys that are kept at most; past it those that took longest ago are forgotten, and their buckets are full again. */
  readonly keysMax: number
}

const SECOND_MS = 1_000
/** A rate of 0 gives a token that nobody lives to see; numbers stay finite. */
const SLOWEST_PER_SECOND = 1e-6
/** Less than a clock can tell. */
const ROUNDING_MS = 1e-6

/**
 * Opens buckets. Each is one number, the time at which it will be full again (the generic cell rate algorithm), so that
 * nothing runs while nobody asks. `now` is in ms.
 */
export function openBuckets({ perSecond, burst, keysMax }: BucketSize, now: () => number): Buckets {
  const gapMs = SECOND_MS / Math.max(perSecond, SLOWEST_PER_SECOND)
  const fillMs = burst * gapMs
  // Small numbers keep their fractions.
  const openedMs = now()
  /** When each bucket that was used of late is full. */
  let young = new Map<string, number>()
  /** The same of those before them: to forget half of all at once costs a take less than an order of use. */
  let old = new Map<string, number>()

  /** A clock that was set back must not lock anybody out: no bucket is emptier than empty. */
  const fullOf = (known: number | undefined, time: number) =>
    known === undefined || known <= time ? time : Math.min(known, time + fillMs)

  const waitFor = (missingMs: number) => (missingMs > ROUNDING_MS ? Math.ceil(missingMs) : 0)

  function keep(key: string, full: number): void {
    if (young.size >= keysMax / 2 && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, full)
  }

  return {
    take(key, count = 1) {
      const time = now() - openedMs
      const known = young.get(key) ?? old.get(key)
      const full = fullOf(known, time) + Math.min(count, Math.max(burst, 1)) * gapMs
      const wait = waitFor(full - time - fillMs)
      if (wait > 0) return wait
      keep(key, full)
      return 0
    },
    owe(key, count, maxMs) {
      const time = now() - openedMs
      const known = Math.max(young.get(key) ?? old.get(key) ?? time, time)
      const wait = waitFor(Math.min(known + gapMs - time - fillMs, maxMs))
      keep(key, Math.min(known + count * gapMs, time + fillMs + maxMs))
      return wait
    },
    wait(key) {
      const time = now() - openedMs
      const known = young.get(key) ?? old.get(key)
      return known === undefined ? 0 : waitFor(fullOf(known, time) + gapMs - time - fillMs)
    },
    get size() {
      return young.size + old.size
    },
  }
}
