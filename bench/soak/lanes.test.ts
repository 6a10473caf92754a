import { expect, it } from 'vitest'
import { driveLanes } from './lanes.ts'

it('goes on after a failure, keeps the first one, and ends when it is told to', async () => {
  const ending = new AbortController()
  const { done, over } = driveLanes(
    [
      {
        name: 'every other fails',
        everyMs: 0,
        once: async (n) => {
          if (n === 5) ending.abort()
          if (n % 2 === 1) throw new Error(`the ${n}th`)
        },
      },
      { name: 'rests', everyMs: 1_000_000, once: async () => {} },
    ],
    ending.signal,
  )
  await over
  expect(done).toEqual([
    { name: 'every other fails', done: 3, failed: 2, trouble: 'Error: the 1th' },
    { name: 'rests', done: 1, failed: 0, trouble: '' },
  ])
})
