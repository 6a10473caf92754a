import type { Compare } from './alike.ts'
import { costOf } from './alike.ts'
import type { Pace } from './pace.ts'
import type { Run } from './texts.ts'

/** What comparing pairs works with. */
export interface PairOptions {
  readonly compare: Compare
  readonly pace: Pace
  /** Whether to stop before this run is compared with those before it. */
  readonly stops: (at: number) => boolean
  /** Rests while this run is compared. */
  readonly rest: (at: number) => Promise<void>
  /** Takes how alike two runs are. */
  readonly take: (share: number, first: number, second: number) => void
}

/**
 * Compares each run with each before it, so that the first ones are done when it stops. Returns how many are.
 *
 * @throws what `rest` throws
 */
export async function eachPair(
  runs: readonly Run[],
  { compare, pace, stops, rest, take }: PairOptions,
): Promise<number> {
  for (const [second, b] of runs.entries()) {
    if (stops(second)) return second
    for (let first = 0; first < second; first++) {
      const a = runs[first] as Run
      take(compare(a, b), first, second)
      if (pace.did(costOf(a, b))) await rest(second)
    }
  }
  return runs.length
}

/** How many pairs there are of so many. */
export const pairsOf = (count: number): number => (count * (count - 1)) / 2
