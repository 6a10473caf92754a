import { openTurnMeter } from '@svc/conformance/testing/turn-meter'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, expect } from 'vitest'
import { imageSizeOf } from './image-size.ts'
import { imageSizeInTurns } from './image-size-in-turns.ts'
import { openThreads } from './threads.ts'

const BYTES = 20_971_520
const threads = openThreads()
afterAll(() => threads.close())

verifies('pause.turn', 'the parts of a hostile image are gone through in another thread', async () => {
  const bytes = Buffer.alloc(BYTES, 0xff)
  bytes[1] = 0xd8
  bytes.set([0xff, 0xc0, 0, 11, 8, 0, 7, 0, 9], BYTES - 9)
  const meter = openTurnMeter()
  const measured: number[] = []
  for (let time = 0; time < 3; time += 1) {
    meter.longestMs()
    const size = await imageSizeInTurns(threads, 'ada', 'image/jpeg', bytes)
    measured.push(meter.longestMs())
    expect(size).toEqual({ width: 9, height: 7 })
  }
  // The control: the same work in this thread. Other work of the machine may stretch a turn, but hardly three times.
  expect(imageSizeOf('image/jpeg', bytes)).toEqual({ width: 9, height: 7 })
  const hereMs = meter.longestMs()
  meter.close()
  expect(Math.min(...measured)).toBeLessThan(hereMs / 2)
})
