/** A row of the text: its number, counted from 1 with skipped rows, and its cells. */
export type Row = { number: number; cells: string[] }

const QUOTE = 0x22
const COMMA = 0x2c
const LF = 0x0a
const CR = 0x0d

/**
 * Reads comma-separated text row by row (RFC 4180, and the liberties that `report.ts` states), looking at each
 * character once and keeping one row at a time.
 *
 * @throws Error naming the row, for a quoted cell that is never closed or that text follows
 */
export function* readRows(text: string): Generator<Row, void> {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let number = 1; at < text.length; number++) {
    const cells: string[] = []
    const start = at
    for (;;) {
      const end = text.charCodeAt(at) === QUOTE ? closingQuote(text, at, number) + 1 : endOfBareCell(text, at)
      cells.push(
        text.charCodeAt(at) === QUOTE
          ? text.slice(at + 1, end - 1).replaceAll('""', '"')
          : text.slice(at, end),
      )
      at = end
      if (at < text.length && !endsCell(text.charCodeAt(at))) {
        throw new Error(
          `row ${number} has text after a closing quote, where only a comma or the row's end may stand`,
        )
      }
      if (text.charCodeAt(at) !== COMMA) break
      at++
    }
    if (at > start) yield { number, cells }
    at += text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? 2 : 1
  }
}

function endsCell(code: number): boolean {
  return code === COMMA || code === LF || code === CR
}

function endOfBareCell(text: string, from: number): number {
  let at = from
  while (at < text.length && !endsCell(text.charCodeAt(at))) at++
  return at
}

/** Where the quote stands that closes the cell opened at `open`: the first one that is not doubled. */
function closingQuote(text: string, open: number, row: number): number {
  for (let at = open + 1; ; at += 2) {
    at = text.indexOf('"', at)
    if (at < 0) throw new Error(`row ${row} has a quoted cell that is never closed`)
    if (text.charCodeAt(at + 1) !== QUOTE) return at
  }
}
