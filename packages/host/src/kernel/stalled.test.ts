import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { openStallTimer } from './stalled.ts'

const READER_STALLED_MS = 30_000

function timer() {
  const clock = frozenClock()
  const reader = { taken: 0, stalls: 0 }
  const stallTimer = openStallTimer({
    clock,
    limits: { READER_STALLED_MS },
    taken: () => reader.taken,
    onStalled() {
      reader.stalls += 1
    },
  })
  return { clock, reader, stallTimer }
}

it('tells once of a reader that took nothing, however often it was started', async () => {
  const { clock, reader, stallTimer } = timer()
  stallTimer.start()
  await clock.advance(READER_STALLED_MS - 1)
  stallTimer.start()
  expect(reader.stalls).toBe(0)
  await clock.advance(1)
  expect([reader.stalls, clock.timers]).toEqual([1, 0])
})

it('waits on for a reader that took a byte', async () => {
  const { clock, reader, stallTimer } = timer()
  stallTimer.start()
  for (let times = 0; times < 5; times += 1) {
    reader.taken += 1
    await clock.advance(READER_STALLED_MS)
  }
  expect(reader.stalls).toBe(0)
  await clock.advance(READER_STALLED_MS)
  expect(reader.stalls).toBe(1)
})

it('begins anew after it was stopped', async () => {
  const { clock, reader, stallTimer } = timer()
  stallTimer.start()
  await clock.advance(READER_STALLED_MS - 1)
  stallTimer.stop()
  expect(clock.timers).toBe(0)
  stallTimer.start()
  await clock.advance(READER_STALLED_MS - 1)
  expect(reader.stalls).toBe(0)
})

it('is the only file of the host that reads the limit', () => {
  const host = path.join(import.meta.dirname, '..')
  const readers = globSync('**/*.ts', { cwd: host })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /\.READER_STALLED_MS\b/.test(readFileSync(path.join(host, file), 'utf8')))
  expect(readers).toEqual([path.join('kernel', 'stalled.ts')])
})
