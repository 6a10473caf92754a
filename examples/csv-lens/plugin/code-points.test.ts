import { expect, it } from 'vitest'
import { compareCodePoints, cutText } from './code-points.ts'

it.each([
  ['', '', 0],
  ['', 'a', -1],
  ['a', 'ab', -1],
  ['B', 'a', -1],
  ['Z', 'é', -1],
  ['\uffff', '😀', -1],
  ['\ue000', '😀', -1],
  ['\ud7ff', '\ue000', -1],
  ['\ud7ff', '😀', -1],
  ['a😀', 'a😁', -1],
  ['😀', '😀', 0],
])('orders %j before or with %j', (left, right, sign) => {
  expect(Math.sign(compareCodePoints(left, right))).toBe(sign)
  expect(Math.sign(compareCodePoints(right, left))).toBe(sign === 0 ? 0 : 1)
})

it.each([
  ['', ''],
  ['abc', 'abc'],
  ['ab…', 'abcd'],
  ['😀😀😀', '😀😀😀'],
  ['😀😀…', '😀😀😀😀'],
  ['a😀…', 'a😀b😀'],
  ['xx…', 'x'.repeat(4_000_000)],
])('cuts to three code points: %s', (cut, text) => {
  expect(cutText(text, 3)).toBe(cut)
})
