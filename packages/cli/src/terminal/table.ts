import { visibleLine } from '@svc/contract/visible-text'

/** Rows in columns, the names of the columns first; nothing is cut. Each cell is one line. */
export function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [names, ...rows.map((row) => row.map(visibleLine))]
  const widths = names.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all
    .map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}
