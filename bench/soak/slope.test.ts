import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockMedians, slopeOf, trendOf } from './slope.ts'

/** A sample each two seconds for ten minutes. */
const times = Array.from({ length: 300 }, (_, at) => at / 30)
const series = (valueAt: (minute: number, at: number) => number) =>
  times.map((minute, at) => ({ at: minute, value: valueAt(minute, at) }))

/** Noise that is the same each time: a sine that no block of points divides. */
const noise = (at: number) => Math.sin(at * 1.7) + Math.sin(at * 0.31)

describe('trendOf', () => {
  it.each([
    ['always the same', series(() => 40), 'level'],
    ['noise', series((_, at) => 1_000 + 50 * noise(at)), 'level'],
    ['a leak', series((minute) => 1_000 + 20 * minute), 'grows'],
    ['a leak in noise', series((minute, at) => 1_000 + 20 * minute + 20 * noise(at)), 'grows'],
    ['a leak by steps', series((minute) => 100 + Math.floor(minute)), 'grows'],
    ['what falls', series((minute) => 1_000 - 20 * minute), 'falls'],
    ['a saw, collected each 40 s', series((_, at) => 1_000 + (at % 20) * 10), 'level'],
    ['what fills up in three minutes and stays', series((minute) => Math.min(minute, 3) * 100), 'level'],
    ['one outlier at the end', series((_, at) => (at > 295 ? 9_000 : 50 + noise(at))), 'level'],
    ['less than a percent', series((minute) => 100_000 + 50 * minute), 'level'],
    ['less than one', series((minute) => minute / 20), 'level'],
    ['a handle each five minutes', series((minute) => 10 + Math.floor(minute / 5)), 'level'],
  ])('%s', (_what, points, trend) => {
    expect(trendOf(points).trend).toBe(trend)
  })

  it('says nothing after few samples', () => {
    expect(trendOf(series((minute) => minute * 100).slice(0, 7)).trend).toBe('too few')
    expect(trendOf([]).trend).toBe('too few')
  })
})

describe('slopeOf', () => {
  it('is the slope of a line, between bounds', () => {
    const { low, median, high } = slopeOf(series((minute) => 5 + 3 * minute))
    expect([low, median, high].map((value) => Number(value.toFixed(6)))).toEqual([3, 3, 3])
  })

  it('has its median between its bounds, however the points lie, and turns with their sign', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 8, maxLength: 24 }),
        (values) => {
          const points = values.map((value, at) => ({ at, value }))
          const { low, median, high } = slopeOf(points)
          expect(low).toBeLessThanOrEqual(median)
          expect(median).toBeLessThanOrEqual(high)
          expect(slopeOf(points.map(({ at, value }) => ({ at, value: -value }))).median).toBeCloseTo(-median)
        },
      ),
    )
  })
})

it('takes at most 24 blocks, each the median of its points', () => {
  const medians = blockMedians(series((_, at) => at))
  expect(medians).toHaveLength(23)
  expect(medians[0]).toEqual({ at: 0.2, value: 6 })
})
