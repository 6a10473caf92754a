import { rounds } from '../rounds.ts'

/**
 * Returns the rows of a table that a test plays: all of them under `npm test -- release`, and else so many, from all
 * over it.
 */
export function someRows<Row>(rows: readonly Row[], part: number): readonly Row[] {
  const count = Math.min(rows.length, rounds(rows.length, part))
  return rows.filter(
    (_, at) => Math.floor(((at + 1) * count) / rows.length) > Math.floor((at * count) / rows.length),
  )
}
