import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { byReader, cut, events, said } from '../../../testing/chat-answers.ts'

verifies('decision.model.cap', 'carriage returns are read in time that grows with them', async () => {
  const before = process.cpuUsage()
  const pieces = Array.from({ length: 16 }, () => new TextEncoder().encode('\r'.repeat(131_072)))
  const answer = cut(events(said({ content: 'a' }), said({}, 'stop')), [])
  expect((await byReader([...pieces, ...answer])).failed).toBe(null)
  const { user, system } = process.cpuUsage(before)
  // In microseconds; a search through the rest of its piece for each of them takes twice as long.
  expect(user + system).toBeLessThan(900_000)
})
