import { openTurnMeter } from '@svc/conformance/testing/turn-meter'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, expect } from 'vitest'
import { imageSizeOf } from './image-size.ts'
import { imageSizeInTurns } from './image-size-apart.ts'
import { openThreads } from './threads.ts'

const BYTES = 20_971_520
const threads = openThreads()
afterAll(() => threads.close())

verifies('pause.turn', 'the parts of a hostile image are gone through in another thread', async () => {
  const bytes = Buffer.alloc(BYTES, 0xff)
  bytes[1] = 0xd8
  bytes.set([0xff, 0xc0, 0, 11, 8, 0, 7, 0, 9], BYTES - 9)
  const meter = openTurnMeter()
  const size = await imageSizeInTurns(threads, 'ada', 'image/jpeg', bytes)
  const apartMs = meter.longestMs()
  // The control: the same work in this thread.
  expect(imageSizeOf('image/jpeg', bytes)).toEqual(size)
  const hereMs = meter.longestMs()
  meter.close()
  expect(size).toEqual({ width: 9, height: 7 })
  expect(apartMs).toBeLessThan(hereMs / 2)
})
