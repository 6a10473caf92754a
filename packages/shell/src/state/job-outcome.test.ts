import { describe, expect, it } from 'vitest'
import { failureOf, resultText, SHOWN_CHARS, shownText } from './job-outcome.ts'

describe('failureOf', () => {
  it.each([
    ['no error', undefined, null],
    [
      'an error with a hint of its own',
      { code: 'plug_error', message: 'no', details: { hint: 'do it', exit_code: 9 } },
      { code: 'plug_error', sentence: 'no', hint: 'do it', details: '{\n  "exit_code": 9\n}' },
    ],
    [
      'an error that is known',
      { code: 'tool_timeout', message: 'late' },
      {
        code: 'tool_timeout',
        sentence: 'late',
        hint: 'The app can ask for more time with timeoutMs, up to 24 hours.',
        details: '',
      },
    ],
    [
      'an error without advice',
      { code: 'cancelled', message: 'wrong folder' },
      { code: 'cancelled', sentence: 'wrong folder', hint: null, details: '' },
    ],
  ])('reads %s', (_, error, failure) => {
    expect(failureOf({ error })).toEqual(failure)
  })
})

it.each([
  [{ n: 1 }, '{\n  "n": 1\n}'],
  [{}, ''],
  [undefined, ''],
])('the result %j as text', (result, text) => {
  expect(resultText({ result })).toBe(text)
})

it.each([
  ['a short text', 'a\nb\nc\nd', false],
  ['many lines', 'a\nb\nc\nd\ne', true],
  ['a long line', 'x'.repeat(161), true],
])('folds %s: %s', (_, text, folded) => {
  expect(shownText(text)).toEqual({ whole: text, shown: text, folded })
})

it('draws the beginning of what is very long', () => {
  const { whole, shown } = shownText('x'.repeat(SHOWN_CHARS + 1))
  expect([whole.length, shown.length, shown.at(-1)]).toEqual([SHOWN_CHARS + 1, SHOWN_CHARS + 1, '…'])
})
