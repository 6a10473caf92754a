import { expect, it } from 'vitest'
import { matchLines, onlyIn } from './lines.ts'

it.each([
  ['equal', 'abc', 'abc', [[0, 0, 3]]],
  ['nothing in common', 'abc', 'xyz', []],
  ['one empty', '', 'abc', []],
  [
    'a line in the middle',
    'abc',
    'axc',
    [
      [0, 0, 1],
      [2, 2, 1],
    ],
  ],
  [
    'moved apart',
    'abcd',
    'xabycdz',
    [
      [0, 1, 2],
      [2, 4, 2],
    ],
  ],
  ['a line that repeats', 'aaa', 'aa', [[0, 0, 2]]],
])('matches %s', (_what, a, b, runs) => {
  expect(matchLines([...a], [...b]).map((match) => [match.a, match.b, match.length])).toEqual(runs)
})

it('tells the lines that the other text lacks', () => {
  expect([...onlyIn([...'abcd'], [...'axcd'])]).toEqual([1])
})

it('takes what is too long to compare as differing, but not its equal ends', () => {
  const long = (word: string) => [
    'head',
    ...Array.from({ length: 3_000 }, (_line, at) => `${word} ${at % 7}`),
    'end',
  ]
  expect(matchLines(long('a'), long('b'))).toEqual([
    { a: 0, b: 0, length: 1 },
    { a: 3_001, b: 3_001, length: 1 },
  ])
})
