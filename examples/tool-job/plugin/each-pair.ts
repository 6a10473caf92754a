import type { Compare } from './alike.ts'
import { costOf } from './alike.ts'
import type { Pace } from './pace.ts'
import type { Run } from './texts.ts'

/** What comparing pairs works with. */
export interface PairOptions {
  readonly compare: Compare
  readonly pace: Pace
  /** Rests while the runs are compared with this one. */
  readonly rest: (first: number) => Promise<void>
  /** Takes how alike two runs are. */
  readonly take: (share: number, first: number, second: number) => void
}

/** Compares each run with each after it. @throws what `rest` throws */
export async function eachPair(
  runs: readonly Run[],
  { compare, pace, rest, take }: PairOptions,
): Promise<void> {
  for (const [first, a] of runs.entries())
    for (let second = first + 1; second < runs.length; second++) {
      const b = runs[second] as Run
      take(compare(a, b), first, second)
      if (pace.did(costOf(a, b))) await rest(first)
    }
}

/** How many pairs there are of so many. */
export const pairsOf = (count: number): number => (count * (count - 1)) / 2
