/** A row of the text: its number, counted from 1 with skipped rows, and its cells. */
export type Row = { number: number; cells: string[] }

const QUOTE = 0x22
const SPACE = 0x20
const TAB = 0x09
const LF = 0x0a
const CR = 0x0d

/**
 * Reads separated text row by row (RFC 4180, and the liberties that `report.ts` states), looking at each character
 * once and keeping one row at a time. The separator is one UTF-16 unit.
 *
 * @throws Error naming the row, for a quoted cell that is never closed or that text follows
 */
export function* readRows(text: string, separator: string): Generator<Row, void> {
  const between = separator.charCodeAt(0)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let number = 1; at < text.length; number++) {
    const cells: string[] = []
    let isBlank = true
    for (;;) {
      const start = afterBlanks(text, at, between)
      const isQuoted = text.charCodeAt(start) === QUOTE
      const close = isQuoted ? closingQuote(text, start, number) : 0
      at = isQuoted ? afterBlanks(text, close + 1, between) : endOfBareCell(text, start, between)
      if (at < text.length && !endsCell(text.charCodeAt(at), between)) {
        throw new Error(
          `row ${number} has text after a closing quote, where only a separator or the row's end may stand`,
        )
      }
      cells.push(
        isQuoted
          ? text.slice(start + 1, close).replaceAll('""', '"')
          : text.slice(start, beforeBlanks(text, start, at)),
      )
      isBlank &&= at === start
      if (text.charCodeAt(at) !== between) break
      isBlank = false
      at++
    }
    if (!isBlank) yield { number, cells }
    at += text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? 2 : 1
  }
}

const endsCell = (code: number, between: number): boolean => code === between || code === LF || code === CR

const isBlankCode = (code: number): boolean => code === SPACE || code === TAB

function afterBlanks(text: string, from: number, between: number): number {
  let at = from
  while (isBlankCode(text.charCodeAt(at)) && text.charCodeAt(at) !== between) at++
  return at
}

function beforeBlanks(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isBlankCode(text.charCodeAt(at - 1))) at--
  return at
}

function endOfBareCell(text: string, from: number, between: number): number {
  let at = from
  while (at < text.length && !endsCell(text.charCodeAt(at), between)) at++
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
