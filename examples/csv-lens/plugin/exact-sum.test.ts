import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exactSum } from './exact-sum.ts'

it.each<[values: number[], sum: number]>([
  [[], 0],
  [[0.1, 0.2, 0.3, -0.6], 2.7755575615628914e-17],
  [Array.from({ length: 10 }, () => 0.1), 1],
  [[1e16, 1, 1e-16], 1e16 + 2],
  [[1e16, 1, -1e-16], 1e16],
  [[1e16, 1], 1e16],
  [[2 ** 53, 1, 2 ** -60], 2 ** 53 + 2],
  [[1e100, 1, -1e100], 1],
  [[5e-324, 5e-324], 1e-323],
])('adds %j', (values, sum) => {
  expect(exactSum(values)).toBe(sum)
})

it('equals the sum in whole numbers, rounded once, in any order', () => {
  const scale = 2 ** 60
  const value = fc
    .tuple(fc.maxSafeInteger(), fc.integer({ min: -60, max: 0 }))
    .map(([whole, power]) => whole * 2 ** power)
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), (values) => {
      const whole = values.reduce((sum, each) => sum + BigInt(each * scale), 0n)
      const right = Number(whole) / scale
      expect(exactSum(values)).toBe(right)
      expect(exactSum(values.toReversed())).toBe(right)
    }),
    { numRuns: 500 },
  )
})
