import { expect, it } from 'vitest'
import { growthProblems } from './ceilings.ts'

it.each([
  ['a count at its ceiling', 1_200, [[1_200, 'all']], []],
  [
    'a count above it',
    1_201,
    [[1_200, 'all']],
    [
      'packages/a: 1201, and the ceiling is 1200; take something out, or add a row of +100 that says what for',
    ],
  ],
  [
    'a row that raises it',
    1_201,
    [
      [1_200, 'all'],
      [100, 'retries'],
    ],
    [],
  ],
  ['a hundred lines that went', 1_100, [[1_200, 'all']], []],
  [
    'more than that',
    1_000,
    [[1_200, 'all']],
    ['packages/a: 1000, and the ceiling is 1200; lower it to 1000'],
  ],
  [
    'no row',
    10,
    undefined,
    ['packages/a: 10, and the ceiling is 0; take something out, or add a row of +100 that says what for'],
  ],
] as const)('judges %s', (_name, count, rows, problems) => {
  expect(growthProblems(new Map([['packages/a', count]]), rows ? { 'packages/a': rows } : {})).toEqual(
    problems,
  )
})

it('holds words in steps of a thousand, and no ceiling of a package that is gone', () => {
  const rows = { 'words of pages': [[3_000, 'all']], 'packages/b': [[100, 'all']] } as const
  expect(growthProblems(new Map([['words of pages', 1_900]]), rows)).toEqual([
    'packages/b: there is no such package; take its ceiling out',
  ])
  expect(
    growthProblems(new Map([['words of pages', 900]]), { 'words of pages': rows['words of pages'] }),
  ).toEqual(['words of pages: 900, and the ceiling is 3000; lower it to 1000'])
})
