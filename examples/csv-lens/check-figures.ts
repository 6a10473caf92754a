/**
 * An independent check of the figures: it shares with the plugins only the type of the report.
 *
 *   node check-figures.ts [file]     prints the report that is right for the file (data/journeys.csv by default)
 *
 * It is slow and plain on purpose. The table, separated by commas, is read by one regular expression; numbers are
 * exact decimals, held as whole multiples of a power of ten, so that sums, quartiles and edges are fractions that are
 * rounded only when they are printed. They may therefore differ from a plugin's in the last digits of a double.
 */
import { readFileSync } from 'node:fs'
import type { Column, Report } from './plugin/report.ts'

/** A cell and what ends it: a quoted text or a bare one, then a comma, a line end or the end of the text. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n][^,\r\n]*|))(,|\r\n|\n|\r|$)/gy
const DECIMAL = /^\s*([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?\s*$/i

/** The right report for a well-formed table whose numbers are small enough to write out. */
export function figuresOf(csv: string, name: string): Report {
  const [header = [], ...rows] = table(csv.replace(/^\ufeff/, ''))
  return {
    name,
    separator: ',',
    decimal: '.',
    skipped: 0,
    rows: rows.length,
    columns: header.map((heading, place) =>
      column(
        heading || `column ${place + 1}`,
        rows.map((row) => row[place] ?? ''),
      ),
    ),
  }
}

function table(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (const [whole, quoted, bare, end] of csv.matchAll(CELL)) {
    rows.at(-1)?.push(quoted?.replace(/""/g, '"') ?? bare ?? '')
    if (end !== ',') rows.push([])
    // A blank line is one bare cell of no text: it is taken back.
    if (end !== ',' && whole === end && rows.at(-2)?.length === 1) rows.splice(-2, 1)
  }
  return rows.filter((row) => row.length > 0)
}

function column(name: string, cells: string[]): Column {
  const filled = cells.filter((cell) => cell !== '')
  // The sign in front keeps a key like `12` from being taken for an index, which would come first.
  const groups = Object.groupBy(filled.toSorted(byCodePoint), (cell) => `=${cell}`)
  const runs = Object.values(groups).map((group = []) => ({ value: group[0] ?? '', count: group.length }))
  const common = {
    name,
    count: filled.length,
    empty: cells.length - filled.length,
    distinct: runs.length,
    // The runs are in order and the sort is stable, so equal counts stay in the order of their texts.
    top: runs.toSorted((a, b) => b.count - a.count).slice(0, 5),
  }
  if (filled.length > 0 && filled.every((cell) => DECIMAL.test(cell) && /\d/.test(cell))) {
    return { ...common, kind: 'number', ...spread(filled) }
  }
  const ordered = runs.map((run) => run.value)
  const ends = { min: ordered[0] ?? null, max: ordered.at(-1) ?? null }
  return { ...common, kind: 'text', ...ends, mean: null, quartiles: null, histogram: null }
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function spread(cells: string[]) {
  const parts = cells.map((cell) => {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(cell) ?? []
    return {
      digits: BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n),
      power: Number(exponent) - fraction.length,
    }
  })
  const scale = Math.min(...new Set(parts.map((part) => part.power)))
  const sorted = parts
    .map((part) => part.digits * 10n ** BigInt(part.power - scale))
    .sort((a, b) => (a < b ? -1 : Number(a > b)))
  const at = (index: number) => sorted[Math.min(index, sorted.length - 1)] ?? 0n
  const print = (times: bigint, over: number) => quotient(times, BigInt(over), scale)
  const quartile = (quarter: number) => {
    const place = (sorted.length - 1) * quarter
    const index = Math.floor(place / 4)
    return print(at(index) * BigInt(4 - (place % 4)) + at(index + 1) * BigInt(place % 4), 4)
  }
  const low = at(0)
  const width = at(sorted.length - 1) - low
  const bins = width === 0n ? 1 : 16
  const counts = Array.from({ length: bins }, () => 0)
  for (const value of sorted) {
    const bin = width === 0n ? 0 : Math.min(Number(((value - low) * BigInt(bins)) / width), bins - 1)
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const edges = [...counts.keys(), bins].map((bin) => print(low * BigInt(bins) + width * BigInt(bin), bins))
  const quartiles: [number, number, number] = [quartile(1), quartile(2), quartile(3)]
  const mean = print(
    sorted.reduce((sum, value) => sum + value, 0n),
    sorted.length,
  )
  return {
    min: print(low, 1),
    max: print(at(sorted.length - 1), 1),
    mean,
    quartiles,
    histogram: { edges, counts },
  }
}

/** The double nearest to the first 40 digits after the point of `whole / over`, times ten to the `power`. */
function quotient(whole: bigint, over: bigint, power: number): number {
  return Number(`${(whole * 10n ** 40n) / over}e${power - 40}`)
}

if (import.meta.main) {
  const file = process.argv[2] ?? new URL('data/journeys.csv', import.meta.url)
  console.log(JSON.stringify(figuresOf(readFileSync(file, 'utf8'), 'journeys.csv'), undefined, 2))
}
