import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openCatchUpQueue } from './feed.ts'

verifies('pause.replays', 'each who asks has a turn of the event loop of its own, in order', async () => {
  const catchUpQueue = openCatchUpQueue()
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const had: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await catchUpQueue()
      had.push(turn)
    }),
  )
  isOver = true
  expect(new Set(had).size).toBe(20)
  expect(had).toEqual(had.toSorted((a, b) => a - b))
})
