import { expect, it } from 'vitest'
import { retryMs } from './retry.ts'

it.each([
  [1_000, 0, 0, 500],
  [1_000, 0, 0.999, 1_000],
  [1_000, 1, 0.5, 1_500],
  [1_000, 3, 0.5, 6_000],
  [1_000, 4, 0, 5_000],
  [1_000, 9, 0.999, 9_995],
  [1_000, 5_000, 0.999, 9_995],
  [200, 0, 0.5, 150],
])('waits after base %i, %i failures, random %f: %i ms', (base, failures, random, ms) => {
  expect(retryMs(base, failures, () => random)).toBe(ms)
})
