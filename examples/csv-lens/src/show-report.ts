import type { Column, Report } from '../plugin/report.ts'
import { byId } from './by-id.ts'
import { formatBytes, formatCount, formatNumber, formatShare, formatTime } from './format.ts'
import { drawHistogram } from './histogram.ts'
import { make } from './make.ts'

/** How a report came about. */
export interface Origin {
  /** The plugin that made it. */
  readonly by: string
  /** The size of the file. */
  readonly bytes: number
  /** How its text was read. */
  readonly encoding: string
  /** From the call to its answer. */
  readonly ms: number
}

/** Shows a report: a summary, then one row a column. */
export function showReport(report: Report, { by, bytes, encoding, ms }: Origin): void {
  const locale = document.documentElement.lang
  byId('report-name').textContent = report.name
  byId('report-facts').textContent = [
    counted(report.rows, 'row', locale),
    counted(report.columns.length, 'column', locale),
    `${formatBytes(bytes, locale)} of ${encoding}`,
    ...taken(report, locale),
    `described by ${by} in ${formatTime(ms)}`,
  ].join(' · ')
  byId('columns').replaceChildren(...report.columns.map((column) => row(column, report.rows, locale)))
  byId('report').hidden = false
  // What scrolls must be in reach of the keyboard.
  byId('scroll').tabIndex = 0
  // Who works with a screen reader or the keyboard is led to the result.
  byId('report-name').focus({ preventScroll: true })
}

/** How the table was read, as far as a user could have meant it otherwise. */
function taken({ separator, decimal, skipped, columns }: Report, locale: string): string[] {
  const above = skipped > 0 ? [`${counted(skipped, 'row', locale)} above the header left out`] : []
  if (columns.length === 1) return above
  const mark = separator === '\t' ? 'tab' : separator
  return [`separated by ${mark}${decimal === ',' ? ', with decimal comma' : ''}`, ...above]
}

const counted = (count: number, what: string, locale: string) =>
  `${formatCount(count, locale)} ${what}${count === 1 ? '' : 's'}`

function row(column: Column, rows: number, locale: string): HTMLTableRowElement {
  const { name, kind, count, empty, distinct, mean } = column
  return make(
    'tr',
    {},
    make(
      'th',
      { scope: 'row' },
      make('span', { className: 'name' }, name),
      make('span', { className: kind === 'number' ? 'kind number' : 'kind' }, kind),
    ),
    cell('figure', number(count, locale), share(count, rows, locale)),
    cell('figure', number(empty, locale), share(empty, rows, locale)),
    cell('figure', number(distinct, locale)),
    cell('spread', ...spread(column, locale)),
    cell('figure', mean === null ? nothing() : number(mean, locale)),
    cell('figure quartiles', ...quartiles(column, locale)),
    cell('top', top(column, locale)),
  )
}

/** Least and greatest value, and for numbers how the others lie between them. */
function spread(column: Column, locale: string): (Node | string)[] {
  if (column.kind === 'number') {
    const ends = make('div', { className: 'ends' }, number(column.min, locale), number(column.max, locale))
    return [drawHistogram(column.histogram, column.name, locale), ends]
  }
  if (column.min === null || column.max === null) return [nothing()]
  return [
    make(
      'div',
      { className: 'texts' },
      text(column.min),
      make('span', { className: 'soft' }, ' to '),
      text(column.max),
    ),
  ]
}

function quartiles({ quartiles: found }: Column, locale: string): Node[] {
  if (found === null) return [nothing()]
  const names = ['¼', '½', '¾']
  return found.map((value, at) =>
    make('div', {}, make('span', { className: 'soft' }, names[at] ?? ''), ' ', number(value, locale)),
  )
}

/** The most frequent texts with their counts, each over a bar that is measured by the first. */
function top({ top: values }: Column, locale: string): HTMLElement {
  const most = values[0]?.count
  if (most === undefined) return nothing()
  const items = values.map((one) => {
    const item = make('li', {}, text(one.value), number(one.count, locale))
    item.style.setProperty('--share', String(one.count / most))
    return item
  })
  return make('ol', {}, ...items)
}

/** A figure for reading, with all its digits for who asks. */
const number = (value: number, locale: string) =>
  make('data', { value: String(value), title: String(value) }, formatNumber(value, locale))

const text = (value: string) => make('span', { className: 'text', title: value }, value)

const share = (part: number, whole: number, locale: string) =>
  make('div', { className: 'soft share' }, formatShare(part, whole, locale))

const nothing = () => make('span', { className: 'soft', title: 'Not for a column of texts' }, '–')

const cell = (className: string, ...children: (Node | string)[]) => make('td', { className }, ...children)
