import { expect, it } from 'vitest'
import { formatBytes, formatCount, formatShare, formatTime } from './format.ts'

it.each([
  [0, '0%'],
  [0.414, '41%'],
  [0.999, '99%'],
  [1, '100%'],
])('shows the share %d as %s', (share, text) => {
  expect(formatShare(share)).toBe(text)
})

it('groups as the language does', () => {
  expect([formatCount(128_219), formatCount(128_219, 'de')]).toEqual(['128,219', '128.219'])
})

it.each([
  [0, '0 bytes'],
  [1_023, '1,023 bytes'],
  [1_111_186, '1.1 MiB'],
])('shows %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

it.each([
  [820, '0.8 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [99_499, '99 s'],
  [150_000, '3 min'],
])('shows %d ms as %s', (ms, text) => {
  expect(formatTime(ms)).toBe(text)
})
