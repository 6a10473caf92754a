import { expect, it } from 'vitest'
import { formatBytes, formatCount, formatNumber, formatShare, formatTime } from './format.ts'

it.each([
  [0, '0'],
  [-0.5, '-0.5'],
  [14.53125, '14.5313'],
  [1234.5678, '1,234.57'],
  [1_234_567.8, '1,234,568'],
  [999_999.6, '999,999.6'],
  [0.000_012_345_67, '0.0000123457'],
  [1e-9, '1E-9'],
  [1.5e300, '1.5E300'],
  [-2_000_000_000, '-2,000,000,000'],
])('shows %d as %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})

it('groups and parts as the language does', () => {
  expect(formatNumber(1234.5, 'de')).toBe('1.234,5')
  expect(formatCount(100_000, 'de')).toBe('100.000')
})

it.each([
  [1, 3, '33%'],
  [1, 1_000, '0.1%'],
  [0, 0, '0%'],
])('shows %d of %d as %s', (part, whole, text) => {
  expect(formatShare(part, whole)).toBe(text)
})

it.each([
  [0, '0 bytes'],
  [1_023, '1,023 bytes'],
  [1_024, '1 KiB'],
  [4_194_304, '4 MiB'],
  [3_294_124, '3.1 MiB'],
])('shows %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

it.each([
  [819.7, '820 ms'],
  [1_449, '1.4 s'],
])('shows %d ms as %s', (ms, text) => {
  expect(formatTime(ms)).toBe(text)
})
