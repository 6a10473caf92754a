import { deepEqual, equal, ok } from 'node:assert/strict'
import type { windowAt } from '@svc/conformance/story'
import type { Column, Report } from './plugin/report.ts'

type Inside = ReturnType<typeof windowAt>['inside']

/** A figure as the page has it: rounded for reading, and with all digits. */
interface Figure {
  readonly shown: string
  readonly exact: string
}

/** One row of the table as a user sees it. */
interface ShownRow {
  readonly name: string
  readonly kind: string
  /** Count, empty, distinct, then minimum, maximum, mean, three quartiles where the column has them, then the frequencies. */
  readonly figures: readonly Figure[]
  readonly texts: readonly string[]
  /** Of each bar what its tip says and how high it is, in the units of the drawing. */
  readonly bars: readonly { readonly tip: string; readonly height: number }[]
}

/** Reads the report off the page. */
export async function readShown(inside: Inside): Promise<{ name: string; rows: ShownRow[] }> {
  const name = (await inside.locator('#report-name').textContent()) ?? ''
  const rows = await inside.locator('#columns tr').evaluateAll((elements) =>
    elements.map((row) => {
      const all = (selector: string) => [...row.querySelectorAll(selector)]
      const textOf = (element: Element | null | undefined) => element?.textContent ?? ''
      return {
        name: textOf(row.querySelector('.name')),
        kind: textOf(row.querySelector('.kind')),
        figures: all('data').map((data) => ({
          shown: textOf(data),
          exact: data.getAttribute('value') ?? '',
        })),
        texts: all('.text').map(textOf),
        bars: all('rect').map((bar) => ({
          tip: textOf(bar.querySelector('title')),
          height: Number(bar.getAttribute('height')),
        })),
      }
    }),
  )
  return { name, rows }
}

/** Holds what is shown against a report that was worked out independently. */
export function agreesWith(shown: Awaited<ReturnType<typeof readShown>>, right: Report): void {
  equal(shown.name, right.name)
  deepEqual(
    shown.rows.map(({ name }) => name),
    right.columns.map(({ name }) => name),
  )
  for (const [at, column] of right.columns.entries()) {
    const row = shown.rows[at]
    ok(row)
    equal(row.kind, column.kind)
    const figures = figuresOf(column)
    equal(row.figures.length, figures.length, `figures of ${column.name}`)
    for (const [place, figure] of row.figures.entries())
      holdFigure(figure, figures[place] ?? Number.NaN, column.name)
    deepEqual(row.texts, textsOf(column))
    holdBars(row, column)
  }
}

const figuresOf = (column: Column): number[] => [
  column.count,
  column.empty,
  column.distinct,
  ...(column.kind === 'number' ? [column.min, column.max] : []),
  ...(column.mean === null ? [] : [column.mean]),
  ...(column.quartiles ?? []),
  ...column.top.map(({ count }) => count),
]

const textsOf = (column: Column): string[] => [
  ...(column.kind === 'text' && column.min !== null && column.max !== null ? [column.min, column.max] : []),
  ...column.top.map(({ value }) => value),
]

/** All digits agree up to the last of a double; the rounded ones up to half a unit of the last that is shown. */
function holdFigure({ shown, exact }: Figure, right: number, name: string): void {
  const message = `${name}: shown ${shown}, exactly ${exact}, must be ${right}`
  ok(Math.abs(Number(exact) - right) <= Math.abs(right) * 1e-14, message)
  const text = shown.replaceAll(',', '')
  const decimals = text.split('.')[1]?.length ?? 0
  ok(Math.abs(Number(text) - right) <= 0.5 * 10 ** -decimals * (1 + 1e-9), message)
}

/** Each bar tells its count, and is as high as the count among the largest, or just high enough to be seen. */
function holdBars({ bars }: ShownRow, { name, histogram }: Column): void {
  const counts = histogram?.counts ?? []
  deepEqual(
    bars.map(({ tip }) => Number(tip.split(': ').at(-1)?.replaceAll(',', ''))),
    counts,
    `bars of ${name}`,
  )
  const highest = Math.max(0, ...bars.map(({ height }) => height))
  for (const [at, { height }] of bars.entries()) {
    const share = (counts[at] ?? 0) / Math.max(...counts)
    const isSeen = share > 0 && height > 0 && height < 0.05 * highest
    ok(
      Math.abs(height / highest - share) < 1e-9 || isSeen,
      `bar ${at} of ${name} is ${height} of ${highest} high`,
    )
  }
}
