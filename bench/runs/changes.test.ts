import { describe, expect, it } from 'vitest'
import type { Result, ResultRow, Spread } from '../lib/result.ts'
import { changes } from './changes.ts'
import { changeTable } from './print.ts'

const around = (median: number, by = 0): Spread => ({ q1: median - by, median, q3: median + by })
const row = (name: string, ratio: Spread | null, figure = around(10)): ResultRow => ({
  name,
  figure,
  ratio,
  instructions: null,
})
const table = (svc: Spread, given: Partial<Result> = {}): Result => ({
  title: 'calls',
  unit: 'µs',
  better: 'less',
  blocks: 30,
  counts: true,
  noise: 0.01,
  rows: [row('bare', around(1)), row('bare (A/A)', around(1)), row('svc', svc)],
  ...given,
})
const bytes = (size: number): Result =>
  table(around(1), { title: 'bytes', noise: 0, rows: [row('sdk', null, around(size))] })

describe('changes of a row beside a base', () => {
  it.each([
    ['the same', table(around(1.5, 0.1)), table(around(1.5, 0.1)), 'same'],
    ['quartiles that touch', table(around(1.5, 0.1)), table(around(1.7, 0.1)), 'same'],
    ['more of what should be less', table(around(1.5, 0.05)), table(around(1.7, 0.05)), 'worse'],
    ['less of what should be less', table(around(1.7, 0.05)), table(around(1.5, 0.05)), 'better'],
    [
      'less of what should be more',
      table(around(9, 0.1), { better: 'more' }),
      table(around(8, 0.1), { better: 'more' }),
      'worse',
    ],
    [
      'as much as A/A differed in both runs together',
      table(around(1, 0.001), { noise: 0.05 }),
      table(around(1.1, 0.001), { noise: 0.05 }),
      'same',
    ],
    [
      'more than A/A differed in both runs together',
      table(around(1, 0.001), { noise: 0.04 }),
      table(around(1.1, 0.001), { noise: 0.04 }),
      'worse',
    ],
    ['a quarter of a percent', table(around(1, 0), { noise: 0 }), table(around(1.0025, 0)), 'same'],
    [
      'a run that does not count',
      table(around(1, 0.01), { counts: false }),
      table(around(2, 0.01)),
      'does not count',
    ],
  ])('%s', (_what, a, b, verdict) => {
    expect(changes([a], [b]).map(({ name, verdict: is }) => [name, is])).toEqual([['svc', verdict]])
  })
})

describe('changes', () => {
  it('compares figures where there is no base', () => {
    expect(changes([bytes(2_400)], [bytes(2_500)])).toMatchObject([
      { name: 'sdk', of: 'figure', verdict: 'worse', change: 2_500 / 2_400 },
    ])
  })

  it('tells what only one of the runs has', () => {
    const named = changes([bytes(1)], [table(around(1))]).map(({ name, verdict }) => [name, verdict])
    expect(named).toEqual([
      ['sdk', 'only in A'],
      ['svc', 'only in B'],
    ])
  })

  it('compares instructions beside the ratio, without the noise of time', () => {
    const counted = (count: number) => {
      const { rows, ...rest } = table(around(1, 0.5), { noise: 0.5 })
      return { ...rest, rows: rows.map((one) => ({ ...one, instructions: around(count, 1) })) }
    }
    expect(changes([counted(1_000)], [counted(1_020)])).toMatchObject([
      { of: 'ratio', verdict: 'same' },
      { of: 'instructions', verdict: 'worse' },
    ])
  })

  it('are printed with a mark where a row got worse', () => {
    expect(changeTable(changes([bytes(2_000)], [bytes(2_500)]))).toMatch(
      /bytes +sdk +2000 +2500 +\+25\.0 % +! worse/,
    )
  })
})
