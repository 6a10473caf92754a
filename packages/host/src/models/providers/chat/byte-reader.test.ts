import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { expect } from 'vitest'
import { bytesOf } from './byte-reader.ts'

const cap = { max: 1e6, error: () => new Error('too long') }

verifies('decision.model.cap', 'what nobody reads is not taken from the connection', async () => {
  const stream = new Readable({ read() {} })
  const reader = bytesOf(stream, cap, frozenClock())
  for (const letter of 'abc') stream.push(Buffer.alloc(65_536, letter))
  await turn()
  expect([stream.isPaused(), stream.readableLength]).toEqual([true, 2 * 65_536])
  const letters = []
  for (let at = 0; at < 3; at += 1) letters.push(String.fromCharCode((await reader.read())?.[0] ?? 0))
  expect(letters).toEqual(['a', 'b', 'c'])
})

verifies(
  'decision.model.failures',
  'pieces that came together are read together, before what broke',
  async () => {
    const stream = new Readable({ read() {} })
    const reader = bytesOf(stream, cap, frozenClock())
    for (const letter of 'ab') stream.push(letter)
    await turn()
    stream.destroy(new Error('broken'))
    expect(String(await reader.read())).toBe('ab')
    await expect(reader.read()).rejects.toThrow('terminated')
  },
)

verifies(
  'decision.model.end',
  'who waits for a time reads nothing after it, and what comes then later',
  async () => {
    const clock = frozenClock()
    const stream = new Readable({ read() {} })
    const reader = bytesOf(stream, cap, clock)
    const waited = reader.read(10)
    await clock.advance(10)
    expect(await waited).toBe(null)
    const next = reader.read(10)
    stream.push('a')
    expect([String(await next), clock.timers]).toEqual(['a', 0])
  },
)
