import { expect, it } from 'vitest'
import { timeLeft } from './time-left.ts'

it.each([
  ['nothing is done', 0, 500, null],
  ['too little is done', 0.029, 500, null],
  ['a quarter took 5 s', 0.25, 5_000, 15_000],
  ['half took 5 s', 0.5, 5_000, 5_000],
  ['all is done', 1, 5_000, 0],
])('where %s', (_what, share, ms, left) => {
  expect(timeLeft({ share, ms })).toBe(left)
})
