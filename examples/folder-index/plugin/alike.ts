import type { Run } from './texts.ts'

/** Compares two runs of words: 0 where they share nothing, 1 where they are the same. */
export type Compare = (a: Run, b: Run) => number

/** Makes the comparer; it holds the one row that this needs, so that millions of comparisons leave no garbage. */
export function createCompare(longest: number): Compare {
  const row = new Uint32Array(longest + 1)

  /** Words that two runs have in common in their order: the longest common subsequence, row by row. */
  function common(a: Run, b: Run): number {
    row.fill(0, 0, b.length + 1)
    for (const word of a) {
      let diagonal = 0
      let left = 0
      for (let at = 0; at < b.length; at++) {
        const above = row[at + 1] as number
        const here = word === b[at] ? diagonal + 1 : Math.max(above, left)
        diagonal = above
        row[at + 1] = left = here
      }
    }
    return row[b.length] ?? 0
  }

  return (a, b) => (a.length + b.length === 0 ? 0 : (2 * common(a, b)) / (a.length + b.length))
}

/** What one comparison costs: the fields of its table. */
export const costOf = (a: Run, b: Run): number => a.length * b.length

/** What it costs to compare each run with each other one. */
export function costOfAll(runs: readonly Run[]): number {
  const sum = runs.reduce((all, { length }) => all + length, 0)
  const squares = runs.reduce((all, { length }) => all + length ** 2, 0)
  return (sum ** 2 - squares) / 2
}
