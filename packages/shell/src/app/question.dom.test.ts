import { expect, it } from 'vitest'
import { leftOf } from './question.tsx'

it.each([
  ['no window', null, 1280, 400],
  ['a window far to the left', 300, 1280, 400],
  ['a window far to the right', 1200, 1280, 400],
  ['a button in the middle', 640, 1280, 116],
  ['a button under its left part', 450, 1280, 462],
  ['a button under its right part', 900, 1280, 376],
  ['a button under its left part, on a narrow page', 300, 780, 288],
])('lies beside the button that closes the window: %s', (_, closeAt, page, left) => {
  expect(leftOf(480, page, closeAt)).toBe(left)
})
