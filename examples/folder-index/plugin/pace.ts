import { setImmediate } from 'node:timers/promises'
import type { Context } from '@svc/plugin'
import type { Progress } from './report.ts'

/** Work after which the process listens again, in fields of the comparers' tables: some 10 ms of it. */
const COST_OF_A_SLICE = 3_000_000
/** How often the app is told: often enough for a bar, far below the 50 a second that a host takes. */
const TOLD_EVERY_MS = 250

/** Where the work stands. */
export type Where = Pick<Progress, 'stage' | 'done' | 'of' | 'file'>

/** Keeps long work in touch with the world. */
export interface Pace {
  /** Sets how much there is to do beside what is done; the time counts from the first one on. */
  expect(cost: number): void
  /** Whether a share of the time is up. */
  isUp(share: number): boolean
  /** Counts work that was done; true when it is time to {@link rest}. */
  did(cost: number): boolean
  /** Lets a cancel come in, tells how far the work is, and throws the signal's reason when it is to stop. */
  rest(where: Where): Promise<void>
}

/**
 * The pace of one call. A loop that never lets go of the thread would not read the line that cancels it: so it
 * works in slices, and between two of them the process reads its stdin.
 */
export function keepPace(
  { signal, emitProgress }: Context,
  budgetMs: number,
  now = () => performance.now(),
): Pace {
  const from = now()
  let told = Number.NEGATIVE_INFINITY
  let whole = 0
  let done = 0
  let slice = 0
  let share = 0
  let started: number | undefined
  return {
    expect(cost) {
      whole = done + cost
      started ??= now()
    },
    isUp: (share) => started !== undefined && now() - started >= share * budgetMs,
    did(cost) {
      done += cost
      slice += cost
      return slice >= COST_OF_A_SLICE
    },
    async rest(where) {
      slice = 0
      await setImmediate()
      signal.throwIfAborted()
      const at = now()
      if (at - told < TOLD_EVERY_MS) return
      told = at
      // The work ends when it is done or when the time is up, whichever comes first.
      if (started !== undefined) {
        const part = Math.max(done / whole, (at - started) / budgetMs)
        share = Math.max(share, Math.min(1, part))
      }
      emitProgress({ ...where, share, ms: Math.round(at - from) } satisfies Progress)
    },
  }
}
