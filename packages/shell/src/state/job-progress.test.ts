import { describe, expect, it } from 'vitest'
import { told } from '../testing/job.ts'
import { barOf } from './job-progress.ts'

const long = 'x'.repeat(300)

describe('barOf', () => {
  it.each([
    ['a count', [{ done: 3, of: 12 }], 0.25, '3 of 12'],
    ['a count past its end', [{ done: 13, of: 12 }], 1, '13 of 12'],
    ['a count with words', [{ done: 1, of: 2, message: 'half' }], 0.5, '1 of 2', 'half'],
    ['a percentage', [{ percent: 42 }], 0.42, '42%'],
    ['a part', [{ progress: 0.5, stage: 'sorting' }], 0.5, '50%', 'sorting'],
    ['a share', [{ share: 1 }], 1, '100%'],
    ['a part of the whole before the count of a stage', [{ done: 1, of: 4, percent: 90 }], 0.9, '90%'],
    ['the last part', [{ percent: 10 }, { percent: 20 }], 0.2, '20%'],
    ['a part, and words after it', [{ percent: 10 }, 'now b.txt'], 0.1, '10%', 'now b.txt'],
    ['words alone', ['reading', { text: 'writing' }], null, '', 'writing'],
    ['words over several lines', ['a\n  b'], null, '', 'a b'],
    ['words that are too long', [long], null, '', `${long.slice(0, 200)}…`],
    ['something else', [{ rows: 5 }], null, '', '{ "rows": 5 }'],
    ['a number', [7], null, '', '7'],
    ['nothing', [], null, ''],
    ['null', [null], null, ''],
  ])('reads %s', (_, datas, part, label, text = '') => {
    expect(barOf(told(...datas))).toEqual({ part, label, text })
  })

  it.each([
    { done: -1, of: 3 },
    { done: 1, of: 0 },
    { done: '1', of: 3 },
    { done: Number.NaN, of: 3 },
    { percent: 101 },
    { percent: -1 },
    { progress: 1.5 },
    { progress: true },
    [{ percent: 5 }],
  ])('takes %j for no part', (data) => {
    expect(barOf(told(data)).part).toBeNull()
  })
})
