import type { Clock } from '@svc/node'
import { openInFlight } from '../inflight.ts'

/** What a bucket is made of. */
interface BucketSize {
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
export function openBuckets({ perSecond, burst, keysMax }: BucketSize, now: () => number) {
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
    /**
     * Takes `count` tokens (as many as a bucket holds, where that is less); 0: they were there. Else the ms, from 1 on,
     * after which they will be, and none is taken.
     */
    take(key: string, count: number = 1) {
      const time = now() - openedMs
      const known = young.get(key) ?? old.get(key)
      const full = fullOf(known, time) + Math.min(count, Math.max(burst, 1)) * gapMs
      const wait = waitFor(full - time - fillMs)
      if (wait > 0) return wait
      keep(key, full)
      return 0
    },
    /**
     * Takes `count` tokens, also those that are not there yet. The ms to wait: until all that was owed before and one more are
     * there, at most `maxMs`. More than that is not owed.
     */
    owe(key: string, count: number, maxMs: number) {
      const time = now() - openedMs
      const known = Math.max(young.get(key) ?? old.get(key) ?? time, time)
      const wait = waitFor(Math.min(known + gapMs - time - fillMs, maxMs))
      keep(key, Math.min(known + count * gapMs, time + fillMs + maxMs))
      return wait
    },
    /** The ms until one token will be there; takes none. */
    wait(key: string) {
      const time = now() - openedMs
      const known = young.get(key) ?? old.get(key)
      return known === undefined ? 0 : waitFor(fullOf(known, time) + gapMs - time - fillMs)
    },
    /** Keys that are kept. */
    get size() {
      return young.size + old.size
    },
  }
}

/** Token buckets of one class by key, such as a user or an address. */
export type Buckets = ReturnType<typeof openBuckets>

/** What a pace is made of. */
export interface PaceSize extends BucketSize {
  /** The longest wait; what a key owes beyond it is forgotten. */
  readonly waitMaxMs: number
  /** How many of one key may wait. */
  readonly waitingMax: number
}

/** Opens a pace: a key that has taken more than its bucket holds waits until the bucket has refilled. */
export function openPace({ waitMaxMs, waitingMax, ...size }: PaceSize, clock: Clock) {
  const buckets = openBuckets(size, clock.now)
  const places = openInFlight(waitingMax)
  const waiting = new Set<() => void>()
  let isClosed = false

  return {
    /**
     * Counts what a key asks for. Resolves when it is its turn: `true`, or `false` at once where too many of that key wait
     * already. `null`: it is its turn now. `onGone` is given what ends the wait of somebody who goes away.
     */
    turn(key: string, count: number, onGone?: (end: () => void) => void) {
      const wait = buckets.owe(key, count, waitMaxMs)
      if (wait === 0 || isClosed) return null
      if (!places.enter(key)) return Promise.resolve(false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const stop = clock.setTimer(go, wait)
      function go() {
        if (!waiting.delete(go)) return
        stop()
        places.leave(key)
        resolve(true)
      }
      waiting.add(go)
      onGone?.(go)
      return promise
    },
    /** Counts what nobody waits for. */
    count: (key: string, count: number) => void buckets.owe(key, count, waitMaxMs),
    /** Ends all waits now. */
    close() {
      isClosed = true
      for (const go of waiting) go()
    },
  }
}

/** Slows down clients that ask for much, where a refusal would only make them ask again. */
export type Pace = ReturnType<typeof openPace>
