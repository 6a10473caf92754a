import type { Clock } from '../clock.ts'
import { type BucketSize, openBuckets } from './buckets.ts'

/** Slows those down who ask for much, where a refusal would only have them ask again. */
export interface Pace {
  /** Counts what a key asks for. Resolves when it is its turn; `null`: that is now. */
  turn(key: string, count?: number): Promise<void> | null
  /** Counts what nobody waits for. */
  count(key: string, count: number): void
  /** Gives everybody his turn now. */
  close(): void
}

/** What a pace is made of. */
export interface PaceSize extends BucketSize {
  /** The longest wait; what a key owes beyond it is forgotten. */
  readonly waitMaxMs: number
}

/** Opens it: who has taken more than his bucket holds waits until what he took before is paid. */
export function openPace(size: PaceSize, clock: Clock): Pace {
  const buckets = openBuckets(size, clock.now)
  const waiting = new Set<() => void>()
  let isClosed = false

  return {
    count: (key, count) => void buckets.owe(key, count, size.waitMaxMs),
    turn(key, count = 1) {
      const wait = buckets.owe(key, count, size.waitMaxMs)
      if (wait === 0 || isClosed) return null
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = clock.setTimer(go, wait)
      function go() {
        stop()
        waiting.delete(go)
        resolve()
      }
      waiting.add(go)
      return promise
    },
    close() {
      isClosed = true
      for (const go of waiting) go()
    },
  }
}
