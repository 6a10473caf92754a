import type { Row } from './csv.ts'
import { readRows } from './csv.ts'

/** The separators that are looked for; among equals the earlier one is taken, because it is rarer within texts. */
const SEPARATORS = ['\t', '|', ';', ',']

/** The first line with which Excel is told the separator: any mark of ASCII but a quote. */
const SEP_LINE = /^\ufeff?"?sep=([\t!#-/:-@[-`{-~])"?[ \t]*(?:[\r\n]|$)/i

/** Rows that are looked at to find the separator and the header. */
const SAMPLE_ROWS = 100

/** How a table is written. */
export type Dialect = {
  /** The character between two cells. */
  separator: string
  /** Rows above the header, blank ones not counted. */
  skipped: number
}

/** Rows of equal width that follow each other. */
type Run = { start: number; length: number; width: number }

/** Finds how the table in a text is written, by the rule in `report.ts`. */
export function dialectOf(text: string): Dialect {
  const told = SEP_LINE.exec(text)?.[1]
  const first = told === undefined ? 0 : 1
  let best: Dialect & { length: number } = { separator: told ?? ',', skipped: first, length: 0 }
  for (const separator of told === undefined ? SEPARATORS : [told]) {
    const rows = sample(text, separator).slice(first)
    const run = largestRun(rows)
    if (run && run.length > best.length) {
      best = { separator, skipped: first + rowsAbove(rows, run), length: run.length }
    }
  }
  return { separator: best.separator, skipped: best.skipped }
}

/** The first rows, up to one that is broken when read so. */
function sample(text: string, separator: string): Row[] {
  const rows: Row[] = []
  try {
    for (const row of readRows(text, separator)) {
      rows.push(row)
      if (rows.length === SAMPLE_ROWS) break
    }
  } catch {
    // The table may be written otherwise; if it is not, reading it whole says what is wrong.
  }
  return rows
}

/** The run with the most cells, the first among equals; rows of one cell are no run. */
function largestRun(rows: readonly Row[]): Run | undefined {
  let best: Run | undefined
  let run: Run = { start: 0, length: 0, width: 0 }
  for (const [at, { cells }] of rows.entries()) {
    const width = cells.length
    if (width === run.width) run.length++
    else run = { start: at, length: 1, width }
    if (width > 1 && run.length * width > (best ? best.length * best.width : 0)) best = { ...run }
  }
  return best
}

/** How many rows stand above the header: titles, comments and pairs of an export, or none where one is like a header. */
function rowsAbove(rows: readonly Row[], { start, length, width }: Run): number {
  const isNarrow = ({ cells }: Row) => 2 * (cells.findLastIndex((cell) => cell !== '') + 1) <= width
  const isApart = (rows[start]?.number ?? 0) - (rows[start - 1]?.number ?? 0) > 1
  const isAbove = (row: Row) => isApart || isNarrow(row) || row.cells[0]?.startsWith('#')
  if (start > 0 && (length < 2 || !rows.slice(0, start).every(isAbove))) return 0
  const padded = width < 3 ? 0 : rows.slice(start, start + length).findIndex((row) => !isNarrow(row))
  return start + Math.max(0, padded)
}
