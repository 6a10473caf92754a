import type { Clock } from '@svc/node'
import { openInFlight } from '../inflight.ts'
import { type BucketSize, openBuckets } from './buckets.ts'

/** Slows those down who ask for much, where a refusal would only have them ask again. */
export interface Pace {
  /**
   * Counts what a key asks for. Resolves when it is its turn: `true`, or `false` at once where too many of that key wait
   * already. `null`: it is its turn now. `onGone` is given what ends the wait of somebody who goes away.
   */
  turn(key: string, count: number, onGone?: (end: () => void) => void): Promise<boolean> | null
  /** Counts what nobody waits for. */
  count(key: string, count: number): void
  /** Gives everybody his turn now. */
  close(): void
}

/** What a pace is made of. */
export interface PaceSize extends BucketSize {
  /** The longest wait; what a key owes beyond it is forgotten. */
  readonly waitMaxMs: number
  /** How many of one key may wait. */
  readonly waitingMax: number
}

/** Opens it: who has taken more than his bucket holds waits until what he took before is paid. */
export function openPace({ waitMaxMs, waitingMax, ...size }: PaceSize, clock: Clock): Pace {
  const buckets = openBuckets(size, clock.now)
  const places = openInFlight(waitingMax)
  const waiting = new Set<() => void>()
  let isClosed = false

  return {
    turn(key, count, onGone) {
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
    count: (key, count) => void buckets.owe(key, count, waitMaxMs),
    close() {
      isClosed = true
      for (const go of waiting) go()
    },
  }
}
