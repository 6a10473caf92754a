import { expect, it } from 'vitest'
import { holdSize, jsonBytes, TooLarge } from './payload.ts'

it.each([
  ['quotes and line breaks are escaped', { csv: 'a\n"b"\n' }, 20],
  ['letters beyond ASCII take two bytes and more', { csv: 'é😀' }, 16],
])('counts the bytes that travel: %s', (_what, value, bytes) => {
  expect(jsonBytes(value)).toBe(bytes)
})

it('lets exactly the limit pass', () => {
  expect(() => holdSize('a.csv', 4_194_304, 4_194_304)).not.toThrow()
})

it('refuses one byte more and names size and limit', () => {
  expect(() => holdSize('a.csv', 4_194_305, 4_194_304)).toThrow(TooLarge)
  expect(() => holdSize('a.csv', 4_194_305, 4_194_304)).toThrow(/a\.csv .* 4,194,305 bytes, .* 4,194,304/)
})
