import { compareCodePoints, cutText } from './code-points.ts'
import type { Tally } from './numbers.ts'
import { numbersOf } from './numbers.ts'
import type { Column, Frequency, Report } from './report.ts'
import { TEXT_MAX_CODE_POINTS, TOP_VALUES } from './report.ts'
import { spread } from './spread.ts'

/** Describes a column by how often each of its texts occurs: each figure of it is that of the cells in any order. */
export function describeColumn(name: string, tally: Tally, decimal: Report['decimal']): Column {
  const filled = [...tally].filter(([text]) => text !== '')
  const counts = {
    name: shown(name),
    count: filled.reduce((sum, [, times]) => sum + times, 0),
    empty: tally.get('') ?? 0,
    distinct: filled.length,
    top: mostFrequent(filled),
  }
  const values = numbersOf(filled, decimal)
  if (values) return { ...counts, kind: 'number', ...spread(values) }
  return { ...counts, kind: 'text', ...range(filled), mean: null, quartiles: null, histogram: null }
}

function range(filled: readonly [string, number][]): { min: string | null; max: string | null } {
  let min: string | undefined
  let max: string | undefined
  for (const [text] of filled) {
    if (min === undefined || compareCodePoints(text, min) < 0) min = text
    if (max === undefined || compareCodePoints(text, max) > 0) max = text
  }
  return { min: min === undefined ? null : shown(min), max: max === undefined ? null : shown(max) }
}

/** The first few in the order of `top`, by insertion: sorting a column of all different texts would cost more. */
function mostFrequent(filled: readonly [string, number][]): Frequency[] {
  const best: [string, number][] = []
  for (const entry of filled) {
    const place = best.findIndex((other) => precedes(entry, other))
    if (place >= 0) best.splice(place, 0, entry)
    else best.push(entry)
    best.length = Math.min(best.length, TOP_VALUES)
  }
  return best.map(([text, count]) => ({ value: shown(text), count }))
}

function precedes([text, times]: [string, number], [otherText, otherTimes]: [string, number]): boolean {
  return times === otherTimes ? compareCodePoints(text, otherText) < 0 : times > otherTimes
}

function shown(text: string): string {
  return cutText(text, TEXT_MAX_CODE_POINTS)
}
