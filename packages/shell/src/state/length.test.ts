import { expect, it } from 'vitest'
import { lengthText } from './length.ts'

it.each([
  [-5, '0 s'],
  [999, '0 s'],
  [12_000, '12 s'],
  [60_000, '1 min'],
  [65_000, '1 min 5 s'],
  [599_999, '9 min 59 s'],
  [629_000, '10 min'],
  [3_600_000, '1 h'],
  [11_100_000, '3 h 5 min'],
  [86_400_000, '24 h'],
])('%d ms is %s', (ms, text) => {
  expect(lengthText(ms)).toBe(text)
})
