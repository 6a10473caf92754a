import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { instantOf } from './instant.ts'

const NOON = Date.UTC(2026, 2, 1, 12)

verifies.each('tools.listJobs.since')([
  ['2026-03-01T12:00:00Z', NOON],
  ['2026-03-01t12:00:00z', NOON],
  ['2026-03-01T12:00:00.5Z', NOON + 500],
  ['2026-03-01T12:00:00.123999999z', NOON + 123],
  ['2026-03-01T12:00:00.999Z', NOON + 999],
  ['2026-03-01T14:30:00+02:30', NOON],
  ['2026-03-01T03:00:00-09:00', NOON],
  ['2026-03-01T12:00:00-00:00', NOON],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
  ['2016-12-31T23:59:60.7z', Date.UTC(2017, 0, 1)],
  ['1990-12-31T15:59:60-08:00', Date.UTC(1991, 0, 1)],
  ['2026-03-01T12:00:60Z', null],
  ['2026-03-01T23:59:60Z', null],
  ['2026-03-01T12:00:61Z', null],
  ['2026-02-29T12:00:00Z', null],
  ['2026-00-01T12:00:00Z', null],
  ['2026-03-32T12:00:00Z', null],
  ['2026-03-01T24:00:00Z', null],
  ['2026-03-01T12:60:00Z', null],
  ['2026-03-01T12:00:00+24:00', null],
  ['2026-03-01T12:00:00', null],
  ['2026-03-01 12:00:00Z', null],
  ['2026-03-01T12:00Z', null],
  ['2026-03-01T12:00:00.Z', null],
  ['2026-03-01T12:00:00,5Z', null],
  ['2026-03-01T12:00:00+0200', null],
  ['+002026-03-01T12:00:00Z', null],
  ['2026-03-01T12:00:00Z\n', null],
  ['2026-03-01', null],
  ['', null],
])('%j is %j', (text, expected) => {
  expect(instantOf(text)).toBe(expected)
})

verifies('tools.listJobs.since', 'agrees with Date on every time that both write', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        expect(instantOf(date.toISOString())).toBe(date.getTime())
        expect(instantOf(date.toISOString().toLowerCase())).toBe(date.getTime())
      },
    ),
  )
})
