import type { Report } from './report.ts'
import { COMMA_NUMBER, GROUP_MARKS, NUMBER } from './report.ts'

/** How often each different text stands in a column; the empty cell is the text `''`. */
export type Tally = Map<string, number>

/** Returns the mark of decimals in a table: a comma where a column of numbers has one and something else separates. */
export function decimalOf(tallies: readonly Tally[], separator: string): Report['decimal'] {
  if (separator === ',') return '.'
  const hasComma = (tally: Tally) => [...tally.keys()].some((text) => text.includes(','))
  const areNumbers = (tally: Tally) =>
    [...tally.keys()].every((text) => text === '' || Number.isFinite(commaNumber(text)))
  return tallies.some((tally) => hasComma(tally) && areNumbers(tally)) ? ',' : '.'
}

/** Returns every cell's number; nothing if a cell is not a number, or there is no cell. */
export function numbersOf(
  filled: readonly [string, number][],
  decimal: Report['decimal'],
): Float64Array | undefined {
  return (decimal === ',' ? readAll(filled, commaNumber) : undefined) ?? readAll(filled, pointNumber)
}

function readAll(
  filled: readonly [string, number][],
  read: (text: string) => number,
): Float64Array | undefined {
  const count = filled.reduce((sum, [, times]) => sum + times, 0)
  if (count === 0) return undefined
  const values = new Float64Array(count)
  let at = 0
  for (const [text, times] of filled) {
    // Adding zero turns minus zero, which JSON writes in two ways, into zero.
    const number = read(text) + 0
    if (!Number.isFinite(number)) return undefined
    values.fill(number, at, at + times)
    at += times
  }
  return values
}

function pointNumber(text: string): number {
  return NUMBER.test(text) ? Number(text) : Number.NaN
}

function commaNumber(text: string): number {
  const [, before = '', digits, , behind = ''] = COMMA_NUMBER.exec(text) ?? []
  if (digits === undefined) return Number.NaN
  return Number(`${before}${behind}${digits.replaceAll(GROUP_MARKS, '').replace(',', '.')}`)
}
