import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { isKnownUnsteady, knownUnsteady } from './known-unsteady.ts'
import {
  type Failure,
  failuresIn,
  failureText,
  mergeReports,
  slowestText,
  unsteadyFailure,
  unsteadyText,
} from './report.ts'
import { countSuites } from './suites.ts'

/** A report in short: file → its tests by name, null where one passed; a text where the file itself failed. */
type Short = Readonly<Record<string, Readonly<Record<string, string | null>> | string>>

const report = (short: Short) => ({
  testResults: Object.entries(short).map(([file, tests]) => ({
    name: path.resolve(file),
    status: typeof tests === 'string' || Object.values(tests).some((error) => error) ? 'failed' : 'passed',
    message: typeof tests === 'string' ? tests : '',
    startTime: 0,
    endTime: 0,
    assertionResults: Object.entries(typeof tests === 'string' ? {} : tests).map(([fullName, error]) => ({
      fullName,
      status: error === null ? 'passed' : error === 'todo' ? 'todo' : 'failed',
      failureMessages: error === null ? [] : [error],
    })),
  })),
})

const failure = (file: string, name: string, error: string): Failure => ({ file, name, error })

describe('failuresIn', () => {
  it('names tests in full, and the file where it failed before its tests', () => {
    expect(
      failuresIn(report({ 'a.test.ts': { 'd fails': 'no', 'd holds': null }, 'b.test.ts': 'gone' })),
    ).toEqual([failure('a.test.ts', 'd fails', 'no'), failure('b.test.ts', '(the file itself)', 'gone')])
  })
})

describe('slowestText', () => {
  it('names so many files, the slowest first', () => {
    const took = [900, 61_240, 2_000]
    const { testResults } = report({ 'a.test.ts': {}, 'b.test.ts': {}, 'c.test.ts': {} })
    const timed = testResults.map((file, at) => ({ ...file, startTime: 50, endTime: 50 + (took[at] ?? 0) }))
    expect(slowestText({ testResults: timed }, 2)).toBe('  61.2 s  b.test.ts\n   2.0 s  c.test.ts')
  })
})

describe('mergeReports', () => {
  it('takes of each file what it said last, and no file that did not run at first', () => {
    const merged = mergeReports(
      report({ 'a.test.ts': { x: 'no' }, 'b.test.ts': { y: null } }),
      report({ 'a.test.ts': { x: null }, 'c.test.ts': { z: 'no' } }),
    )
    expect(merged).toEqual(report({ 'a.test.ts': { x: null }, 'b.test.ts': { y: null } }))
  })
})

describe('countSuites', () => {
  const whole = (code: number, short: Short | null) => ({ code, report: short && report(short) })
  const broken = { 'a.test.ts': { x: 'first', y: null }, 'b.test.ts': { z: null } }

  it.each([
    ['all hold', whole(0, { 'a.test.ts': { x: null, y: null } }), null, true, 2, [], []],
    ['there are no tests', whole(1, {}), null, false, 0, [], []],
    [
      'an error stands beside the tests',
      whole(1, { 'a.test.ts': { x: null } }),
      null,
      false,
      1,
      ['unit'],
      [],
    ],
    ['vitest writes no report', whole(137, null), null, false, 0, ['unit'], []],
    [
      'a test passes alone',
      whole(1, broken),
      whole(0, { 'a.test.ts': { x: null, y: null } }),
      false,
      2,
      ['x'],
      [],
    ],
    [
      'a test passes alone that is known for it',
      whole(1, { 'a.test.ts': { known: 'first', y: null } }),
      whole(0, { 'a.test.ts': { known: null, y: null } }),
      true,
      2,
      [],
      ['known'],
    ],
    [
      'a test that is known for passing alone fails twice',
      whole(1, { 'a.test.ts': { known: 'first', y: null } }),
      whole(1, { 'a.test.ts': { known: 'again', y: null } }),
      false,
      1,
      ['known'],
      [],
    ],
    [
      'a file can be read only alone',
      whole(1, { 'a.test.ts': 'gone', 'b.test.ts': { z: null } }),
      whole(0, { 'a.test.ts': { x: null } }),
      false,
      2,
      ['(the file itself)'],
      [],
    ],
    [
      'a test fails twice',
      whole(1, broken),
      whole(1, { 'a.test.ts': { x: 'again', y: null } }),
      false,
      2,
      ['x'],
      [],
    ],
    [
      'another fails alone',
      whole(1, broken),
      whole(1, { 'a.test.ts': { x: null, y: 'no' } }),
      false,
      1,
      ['y', 'x'],
      [],
    ],
    ['the second run writes no report', whole(1, broken), whole(137, null), false, 2, ['x'], []],
    [
      'an error stands beside the second run',
      whole(1, broken),
      whole(1, { 'a.test.ts': { x: null, y: null } }),
      false,
      2,
      ['unit', 'x'],
      [],
    ],
  ])('%s', (_name, first, second, ok, passed, failed, unsteady) => {
    const count = countSuites(['unit'], first, second, ({ name }) => name === 'known')
    expect({ ok: count.ok, passed: count.passed }).toEqual({ ok, passed })
    expect(count.failures.map(({ name }) => name)).toEqual(failed)
    expect(count.unsteady.map(({ name }) => name)).toEqual(unsteady)
  })

  it('says of what is unsteady how it failed at first, and counts what is neither', () => {
    const first = whole(1, { 'a.test.ts': { x: 'first', later: 'todo' } })
    const second = whole(0, { 'a.test.ts': { x: null, later: 'todo' } })
    const count = countSuites(['unit'], first, second, () => true)
    expect(count).toMatchObject({ skipped: 1, unsteady: [failure('a.test.ts', 'x', 'first')] })
  })
})

describe('isKnownUnsteady', () => {
  const known = { file: 'a.test.ts', name: 'x', reason: 'It counts on an idle machine.', until: '2030-01-31' }

  it.each([
    ['on the day before the last', 'a.test.ts', 'x', '2030-01-30T12:00:00Z', true],
    ['in the last second', 'a.test.ts', 'x', '2030-01-31T23:59:59Z', true],
    ['on the day after', 'a.test.ts', 'x', '2030-02-01T00:00:00Z', false],
    ['with another name', 'a.test.ts', 'y', '2030-01-30T12:00:00Z', false],
    ['in another file', 'b.test.ts', 'x', '2030-01-30T12:00:00Z', false],
  ])('%s', (_name, file, name, now, expected) => {
    expect(isKnownUnsteady(failure(file, name, ''), new Date(now), [known])).toBe(expected)
  })

  it('lists each test with a reason and a day', () => {
    for (const { reason, until } of knownUnsteady) {
      expect(reason.length).toBeGreaterThan(20)
      expect(until).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
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

  it.each([
    ['expected 1\nmore', 'unsteady: a.test.ts > x: expected 1'],
    ['', 'unsteady: a.test.ts > x: no error'],
  ])('tells what is unsteady on one line: %j', (error, line) => {
    expect(unsteadyText([failure('a.test.ts', 'x', error)])).toBe(line)
  })

  it('tells what to do about a test that passed only alone, then how it failed', () => {
    const text = failureText([unsteadyFailure(failure('a.test.ts', 'x', 'expected 1'))])
    expect(text).toMatch(/^✗ a\.test\.ts > x\n {4}It failed beside other tests and passed alone\./)
    expect(text).toMatch(/scripts\/known-unsteady\.ts\.\n {4}expected 1$/)
  })
})
