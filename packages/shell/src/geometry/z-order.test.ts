import { expect, it } from 'vitest'
import { frontOf, isFront, nextZ } from './z-order.ts'

const one = (key: string, z: number, minimised = false) => ({ key, z, minimised })

it.each([
  ['none', [], undefined, 1],
  ['one', [one('a', 3)], 'a', 4],
  ['the highest', [one('a', 3), one('b', 7), one('c', 5)], 'b', 8],
  ['the highest in sight', [one('a', 3), one('b', 7, true)], 'a', 8],
  ['none in sight', [one('a', 3, true)], undefined, 4],
  ['the older of two alike', [one('a', 3), one('b', 3)], 'a', 4],
])('front and next z: %s', (_, windows, front, next) => {
  expect(frontOf(windows)?.key).toBe(front)
  expect(nextZ(windows)).toBe(next)
  for (const { key } of windows) expect(isFront(windows, key)).toBe(key === front)
})
