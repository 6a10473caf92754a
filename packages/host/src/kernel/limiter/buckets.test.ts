import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openBuckets } from './buckets.ts'

const open = (perSecond: number, burst: number, keysMax = 10) => {
  const clock = frozenClock()
  return { clock, buckets: openBuckets({ perSecond, burst, keysMax }, clock.now) }
}

describe('a bucket', () => {
  it('holds its burst, then gives a token as often as its rate says', async () => {
    const { clock, buckets } = open(4, 3)
    expect([1, 2, 3, 4].map(() => buckets.take('ada'))).toEqual([0, 0, 0, 250])
    await clock.advance(249)
    expect([buckets.wait('ada'), buckets.take('ada')]).toEqual([1, 1])
    await clock.advance(1)
    expect([buckets.wait('ada'), buckets.take('ada'), buckets.take('ada')]).toEqual([0, 0, 250])
    expect(buckets.take('bob')).toBe(0)
  })

  it.each([
    ['a refused take costs nothing', 1, 2, [1, 1, 1, 1], [0, 0, 1_000, 1_000]],
    ['several are taken together or not at all', 1, 3, [2, 2, 1], [0, 1_000, 0]],
    ['more than it holds is as many as it holds', 1, 3, [9, 1], [0, 1_000]],
    ['a burst of one gives one, whatever is asked', 1, 1, [5, 1], [0, 1_000]],
    ['no rate at all gives its burst and no more', 0, 1, [1, 1], [0, 1_000_000_000]],
    ['no burst gives nothing', 5, 0, [1], [200]],
  ])('%s', (_rule, perSecond, burst, counts, waits) => {
    const { buckets } = open(perSecond, burst)
    expect(counts.map((count) => buckets.take('ada', count))).toEqual(waits)
  })

  it('has a token for a key that was never seen', () => {
    expect(open(1, 1).buckets.wait('ada')).toBe(0)
  })

  it('locks nobody out where the clock is set back', () => {
    let time = 10_000_000
    const buckets = openBuckets({ perSecond: 1, burst: 2, keysMax: 10 }, () => time)
    buckets.take('ada', 2)
    time -= 3_600_000
    expect(buckets.take('ada')).toBe(1_000)
  })

  verifies('load.rate.keys', 'past the most keys those that took longest ago are forgotten', () => {
    const { buckets } = open(1, 1, 4)
    const take = (key: string) => buckets.take(key) === 0
    expect(['a', 'b', 'c', 'd', 'e'].map(take)).toEqual([true, true, true, true, true])
    expect([buckets.size, take('c'), take('d'), take('e'), take('a')]).toEqual([3, false, false, false, true])
  })
})

it('keeps as many keys as it may', () => {
  const { buckets } = open(1, 1, 6)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) buckets.take(name)
  expect(buckets.size).toBe(6)
})

const key = fc.constantFrom('a', 'b', 'c')
const step = fc.record({ key, waitMs: fc.nat(400), count: fc.integer({ min: 1, max: 4 }) })

verifies('load.rate', 'in no time a key takes more than rate × time + burst', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 4, max: 20 }),
      fc.array(step, { maxLength: 120 }),
      async (perSecond, burst, steps) => {
        const { clock, buckets } = open(perSecond, burst)
        const taken: { key: string; at: number; count: number }[] = []
        for (const { key, waitMs, count } of steps) {
          await clock.advance(waitMs)
          if (buckets.take(key, count) === 0) taken.push({ key, at: clock.now(), count })
        }
        for (const from of taken)
          for (const name of ['a', 'b', 'c']) {
            let sum = 0
            for (const { key, at, count } of taken) {
              if (key !== name || at < from.at) continue
              sum += count
              expect(sum).toBeLessThanOrEqual((perSecond * (at - from.at)) / 1_000 + burst + 1e-6)
            }
          }
      },
    ),
    { numRuns: rounds(40) },
  )
})

verifies('load.rate.keys', 'keys stay bounded, and a wait that is told is one that helps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(30), fc.nat(50)), { maxLength: 200 }), async (steps) => {
      const { clock, buckets } = open(3, 2, 8)
      for (const [name, waitMs] of steps) {
        await clock.advance(waitMs)
        const wait = buckets.take(String(name))
        expect(buckets.size).toBeLessThanOrEqual(8)
        expect(buckets.wait(String(name))).toBeLessThanOrEqual(334)
        if (wait === 0) continue
        await clock.advance(wait)
        expect(buckets.take(String(name))).toBe(0)
      }
    }),
    { numRuns: rounds(40) },
  )
})
