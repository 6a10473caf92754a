import type { Result, ResultRow, Spread } from '../lib/result.ts'

/** A change below this share is none, whatever was measured: nobody mends it. */
const SMALLEST = 0.005

/** What became of a row from one run to another. */
export type Verdict = 'better' | 'worse' | 'same' | 'does not count' | 'only in A' | 'only in B'

/** A row of two runs: its ratio where it is measured beside a base, else its figure; or its count of instructions. */
export interface Change {
  readonly title: string
  readonly name: string
  readonly of: 'ratio' | 'figure' | 'instructions'
  readonly a: Spread | null
  readonly b: Spread | null
  /** B divided by A; `null` where one of them is missing. */
  readonly change: number | null
  readonly verdict: Verdict
}

/**
 * Returns what changed from the tables of run A to those of run B, row by row. A change is `better` or `worse` when it is
 * beyond the noise of both: their quartiles do not touch, and it is larger than what both A/A rows show together
 * (`noise`), and than half a percent. The base of a comparison and its twin are not compared: their ratio is 1.
 */
export function changes(a: readonly Result[], b: readonly Result[]): Change[] {
  const titles = new Set([...a, ...b].map(({ title }) => title))
  return [...titles].flatMap((title) => ofTable(title, tableOf(a, title), tableOf(b, title)))
}

const tableOf = (results: readonly Result[], title: string) => results.find((one) => one.title === title)

function ofTable(title: string, a: Result | undefined, b: Result | undefined): Change[] {
  const names = new Set([...comparedRows(a), ...comparedRows(b)].map(({ name }) => name))
  return [...names].flatMap((name) => {
    const [rowA, rowB] = [a, b].map((table) => table?.rows.find((row) => row.name === name))
    const kind = rowA?.ratio || rowB?.ratio ? 'ratio' : 'figure'
    const kinds =
      rowA?.instructions && rowB?.instructions ? ([kind, 'instructions'] as const) : ([kind] as const)
    return kinds.map((of) => changeOf(title, name, of, { a, b, rowA, rowB }))
  })
}

/** The first two rows of a comparison are its base and the twin of it. */
const comparedRows = (table: Result | undefined): readonly ResultRow[] =>
  table?.rows[0]?.ratio ? table.rows.slice(2) : (table?.rows ?? [])

interface Sides {
  readonly a: Result | undefined
  readonly b: Result | undefined
  readonly rowA: ResultRow | undefined
  readonly rowB: ResultRow | undefined
}

function changeOf(title: string, name: string, of: Change['of'], { a, b, rowA, rowB }: Sides): Change {
  const [from, to] = [rowA?.[of] ?? null, rowB?.[of] ?? null]
  const row = { title, name, of, a: from, b: to, change: null }
  if (!a || from === null) return { ...row, verdict: 'only in B' }
  if (!b || to === null) return { ...row, verdict: 'only in A' }
  const change = to.median / from.median
  const isLessBetter = of === 'instructions' || b.better === 'less'
  const noise = of === 'instructions' ? 0 : a.noise + b.noise
  return { ...row, change, verdict: a.counts && b.counts ? verdictOf() : 'does not count' }

  function verdictOf(): Verdict {
    const touch = (from as Spread).q1 <= (to as Spread).q3 && (to as Spread).q1 <= (from as Spread).q3
    if (touch || Math.abs(Math.log(change)) <= Math.max(noise, SMALLEST)) return 'same'
    return change < 1 === isLessBetter ? 'better' : 'worse'
  }
}
