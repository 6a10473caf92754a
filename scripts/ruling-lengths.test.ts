import { expect, it } from 'vitest'
import { wrongLengths } from './ruling-lengths.ts'

const file = 'docs/decisions/0010-storage.md'

it.each([
  [9, [`${file}: a ruling must have 10 to 25 lines, got 9`]],
  [10, []],
  [25, []],
  [26, [`${file}: a ruling must have 10 to 25 lines, got 26`]],
])('checks a ruling of %i lines', (lines, findings) => {
  expect(wrongLengths([{ file, text: 'a line\n'.repeat(lines) }])).toEqual(findings)
})
