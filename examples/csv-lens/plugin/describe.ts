import { cutText } from './code-points.ts'
import { readRows } from './csv.ts'
import { dialectOf } from './dialect.ts'
import type { Tally } from './numbers.ts'
import { decimalOf } from './numbers.ts'
import type { Report } from './report.ts'
import { COLUMNS_MAX, TEXT_MAX_CODE_POINTS } from './report.ts'
import { describeColumn } from './statistics.ts'

/**
 * Describes a table given as separated text.
 *
 * @throws Error with a sentence for the user, for text that is no such table
 */
export function describeCsv(csv: string, name: string): Report {
  if (csv.includes('\0')) throw new Error('the CSV holds a NUL character, so it is not text')
  const text = csv.toWellFormed()
  const { separator, skipped } = dialectOf(text)
  const rows = readRows(text, separator)
  for (let above = 0; above < skipped; above++) rows.next()
  const header = rows.next().value?.cells
  if (!header) throw new Error('the CSV is empty, it needs a header row')
  if (header.length > COLUMNS_MAX) {
    throw new Error(`the header has ${header.length} cells, at most ${COLUMNS_MAX} columns can be described`)
  }
  const tallies = header.map((): Tally => new Map())
  let count = 0
  for (const { number, cells } of rows) {
    if (cells.length !== header.length) {
      throw new Error(
        `row ${number} must have as many cells as the header (${header.length}), got ${cells.length}`,
      )
    }
    for (const [place, tally] of tallies.entries()) {
      const cell = cells[place] ?? ''
      tally.set(cell, (tally.get(cell) ?? 0) + 1)
    }
    count++
  }
  const decimal = decimalOf(tallies, separator)
  return {
    name: cutText(name.toWellFormed(), TEXT_MAX_CODE_POINTS),
    separator,
    decimal,
    skipped,
    rows: count,
    columns: tallies.map((tally, place) =>
      describeColumn(header[place] || `column ${place + 1}`, tally, decimal),
    ),
  }
}
