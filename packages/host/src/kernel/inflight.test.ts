import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openInFlight } from './inflight.ts'

verifies(['wall.in_flight.host'], 'gives a window its places and no more, and takes them back', () => {
  const inFlight = openInFlight(2)
  expect([inFlight.enter('a'), inFlight.enter('a'), inFlight.enter('a')]).toEqual([true, true, false])
  expect(inFlight.enter('b')).toBe(true)
  expect(inFlight.total).toBe(3)
  inFlight.leave('a')
  expect(inFlight.enter('a')).toBe(true)
  for (const window of ['a', 'a', 'b']) inFlight.leave(window)
  expect(inFlight.total).toBe(0)
})
