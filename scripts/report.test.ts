import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { countOutcome, failureText, skippedText, slowestText, slowRules } from './report.ts'
import type { Failure, Outcome } from './reporter.ts'

const failure = (file: string, name: string, error: string): Failure => ({ file, name, error })
const files = [
  { file: 'a.test.ts', ms: 850, longestMs: 10 },
  { file: 'b.test.ts', ms: 61_190, longestMs: 100 },
  { file: 'c.test.ts', ms: 1_500, longestMs: 0 },
]

describe('what a run comes to', () => {
  const outcome = (more: Partial<Outcome>): Outcome => ({
    files,
    passed: 2,
    failures: [],
    skipped: [],
    ...more,
  })
  const broken = [failure('a.test.ts', 'x', 'expected 1')]
  const skipped = [{ file: 'a.test.ts', reason: 'python: not installed' }]

  it.each([
    ['all hold', 0, outcome({}), []],
    ['some are skipped', 0, outcome({ skipped }), []],
    ['one fails', 1, outcome({ failures: broken }), ['x']],
    ['there are no tests', 0, outcome({ passed: 0 }), ['rules, dom']],
    ['an error is beside the tests', 1, outcome({}), ['rules, dom']],
    ['vitest is killed', 137, null, ['rules, dom']],
  ])('%s', (_name, code, came, failed) => {
    const count = countOutcome(['rules', 'dom'], code, came)
    expect(count.failures.map(({ name }) => name)).toEqual(failed)
  })

  it('fails files of rules that take more than 1.5 s beside their longest test, or 3 s for that', () => {
    const more = [
      { file: 'd.dom.test.ts', ms: 4_000, longestMs: 100 },
      { file: 'e.test.ts', ms: 3_400, longestMs: 2_000 },
      { file: 'f.test.ts', ms: 3_200, longestMs: 3_100 },
    ]
    expect(slowRules([...files, ...more])).toEqual([
      { file: 'b.test.ts', name: 'took 61190 ms', error: expect.stringContaining('takes 1500 ms at most') },
      { file: 'f.test.ts', name: 'took 3200 ms', error: expect.any(String) },
    ])
    expect(slowRules([...files, ...more], 2).map(({ file }) => file)).toEqual(['b.test.ts'])
  })
})

it('runs no test again by itself', () => {
  const tests = globSync('{packages,scripts,examples}/**/*.test.ts', {
    exclude: (name) => name === 'node_modules',
  })
  expect(tests.length).toBeGreaterThan(300)
  expect(tests.filter((file) => /[{,]\s*retry: [\d{]/.test(readFileSync(file, 'utf8')))).toEqual([])
})

describe('the texts', () => {
  const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')

  it.each([
    [1, 20],
    [5, 20],
    [10, 10],
    [50, 2],
    [500, 2],
  ])('%i failures show %i lines each', (count, lines) => {
    const text = failureText(Array.from({ length: count }, () => failure('a.test.ts', 'x', long)))
    expect(text.split('\n')).toHaveLength(count * (lines + 1))
  })

  it('shows neither colours nor the frames of the runner', () => {
    const error =
      '\u001b[31mexpected 1\u001b[39m\n\n    at /a.test.ts:2\n    at /node_modules/vitest/run.js:1'
    expect(failureText([failure('a.test.ts', 'x', error)])).toBe(
      '✗ a.test.ts > x\n    expected 1\n        at /a.test.ts:2',
    )
  })

  it('names so many files, the slowest first', () => {
    expect(slowestText(files, 2)).toBe('  61.2 s  b.test.ts\n   1.5 s  c.test.ts')
  })

  it('names each reason to skip once, with how many tests and some of their files', () => {
    const of = (file: string, reason: string) => ({ file, reason })
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => of(`${name}.test.ts`, 'python: not installed'))
    expect(
      skippedText([
        ...many,
        of('a.test.ts', 'python: not installed'),
        of('story', 'chromium: not installed'),
      ]),
    ).toBe(
      [
        '- python: not installed  (6: a.test.ts, b.test.ts, c.test.ts and 2 more files)',
        '- chromium: not installed  (1: story)',
      ].join('\n'),
    )
  })
})
