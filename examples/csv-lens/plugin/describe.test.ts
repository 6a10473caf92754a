import { describe, expect, it } from 'vitest'
import { figuresOf } from '../check-figures.ts'
import { describeCsv } from './describe.ts'
import type { Column } from './report.ts'
import { FAILURES } from './tricky-tables.ts'

/** The first column of a table that has the given cells under the heading `x`. */
function column(...cells: string[]): Column | undefined {
  return describeCsv(`x,y\n${cells.map((cell) => `${cell},\n`).join('')}`, 'table').columns[0]
}

describe('describeCsv', () => {
  it('describes a column of numbers', () => {
    expect(column('1', '2', '', '2', '10')).toEqual({
      name: 'x',
      kind: 'number',
      count: 4,
      empty: 1,
      distinct: 3,
      min: 1,
      max: 10,
      mean: 3.75,
      quartiles: [1.75, 2, 4],
      top: [
        { value: '2', count: 2 },
        { value: '1', count: 1 },
        { value: '10', count: 1 },
      ],
      histogram: {
        edges: [
          1, 1.5625, 2.125, 2.6875, 3.25, 3.8125, 4.375, 4.9375, 5.5, 6.0625, 6.625, 7.1875, 7.75, 8.3125,
          8.875, 9.4375, 10,
        ],
        counts: [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      },
    })
  })

  it('describes a column of texts', () => {
    expect(column('b', '😀', '', 'b', '\uffff', 'B')).toEqual({
      name: 'x',
      kind: 'text',
      count: 5,
      empty: 1,
      distinct: 4,
      min: 'B',
      max: '😀',
      mean: null,
      quartiles: null,
      top: [
        { value: 'b', count: 2 },
        { value: 'B', count: 1 },
        { value: '\uffff', count: 1 },
        { value: '😀', count: 1 },
      ],
      histogram: null,
    })
  })

  it.each<[kind: 'number' | 'text', cells: string[]]>([
    ['number', ['1', '+1', '-1', '.5', '5.', '1e3', '1E-3', ' 7\t', '007']],
    ['number', ['1.7976931348623157e308']],
    ['text', ['1', 'x']],
    ['text', ['1e309']],
    ['text', ['0x10']],
    ['text', ['1_000']],
    ['text', ['NaN']],
    ['text', ['Infinity']],
    ['text', ['.']],
    ['text', ['1e']],
    ['text', ['- 1']],
    ['text', ['"1,5"']],
    ['text', ['١']],
    ['text', ['1\u00a0']],
    ['text', ['" "']],
    ['text', ['', '']],
  ])('takes as %s: %j', (kind, cells) => {
    expect(column(...cells)?.kind).toBe(kind)
  })

  it('has one bin where all values are equal, and takes minus zero as zero', () => {
    expect(column('-0', '0')).toMatchObject({
      min: 0,
      max: 0,
      mean: 0,
      quartiles: [0, 0, 0],
      histogram: { edges: [0, 0], counts: [2] },
    })
  })

  it('puts a value on an edge into the bin above, and the greatest value into the last', () => {
    const sixteenths = Array.from({ length: 17 }, (_, step) => String(step / 10))
    expect(column(...sixteenths)?.histogram?.counts).toEqual([...Array.from({ length: 15 }, () => 1), 2])
  })

  it('leaves the mean out where the sum could be past the range of a double, not the rest', () => {
    const found = column('1e308', '-1e308', '1.5e308')
    expect(found).toMatchObject({ mean: null, min: -1e308, max: 1.5e308 })
    expect(found?.quartiles?.every(Number.isFinite) && found.histogram?.edges.every(Number.isFinite)).toBe(
      true,
    )
  })

  it('has no rows to describe under a header alone', () => {
    expect(describeCsv('a,,c', 'table')).toMatchObject({
      rows: 0,
      columns: ['a', 'column 2', 'c'].map((name) => ({
        name,
        kind: 'text',
        count: 0,
        min: null,
        max: null,
        top: [],
      })),
    })
  })

  it('cuts long texts, and keeps apart what differs after the cut', () => {
    const long = 'é'.repeat(120)
    const found = describeCsv(`${long}!\n${long}1\n${long}2\n`, `${long}3`)
    const cut = `${'é'.repeat(119)}…`
    expect(found.name).toBe(cut)
    expect(found.columns[0]).toMatchObject({ name: cut, distinct: 2, min: cut, max: cut })
  })

  it('stays below 4 MiB of JSON for the table with the longest report', () => {
    const row = (mark: string) => Array.from({ length: 500 }, () => mark.repeat(120)).join(',')
    const csv = ['\u0001', '\u0002', '\u0003', '\u0004', '\u0005', '\u0006', '\u0007'].map(row).join('\n')
    expect(Buffer.byteLength(JSON.stringify(describeCsv(csv, 'table')))).toBeLessThan(4_194_304)
  })

  it.each(FAILURES)('refuses a text: %s', (sentence, csv) => {
    expect(() => describeCsv(csv, 'table')).toThrow(new Error(sentence))
  })

  it('agrees with the independent check on a table of every kind of cell', () => {
    const csv = '\ufeffn,"t,""x""",e\r\n1,a,\r\n\r\n-2.50,"b\nc",\r\n3e2,a,\r\n,😀,\r\n'
    expect(describeCsv(csv, 'table')).toEqual(figuresOf(csv, 'table'))
  })
})
