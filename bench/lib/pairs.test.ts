import { afterEach, describe, expect, it, vi } from 'vitest'
import { compare, spread } from './pairs.ts'

describe('spread', () => {
  it.each([
    [[7], { q1: 7, median: 7, q3: 7 }],
    [[1, 2, 3, 4, 5], { q1: 2, median: 3, q3: 4 }],
    [[5, 3, 1, 4, 2], { q1: 2, median: 3, q3: 4 }],
    [[10, 20], { q1: 12.5, median: 15, q3: 17.5 }],
  ])('of %j is %j', (figures, expected) => {
    expect(spread(figures)).toEqual(expected)
  })
})

describe('compare', () => {
  afterEach(() => void vi.restoreAllMocks())
  const contender = (name: string, figure: number, instructions: number | null = null) => ({
    name,
    block: async () => ({ figure, instructions }),
  })
  const measure = (twin: number) => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    return compare({
      title: 'calls',
      unit: 'µs',
      better: 'less',
      blocks: 5,
      base: contender('bare', 10),
      twin: contender('twin', twin),
      others: [contender('svc', 15, 900), { name: 'plain', block: async () => 5 }],
    })
  }

  it('returns the ratio of each row to the base, and its instructions where they were counted', async () => {
    const { rows, counts, unit, better, blocks } = await measure(10)
    expect({ counts, unit, better, blocks }).toEqual({ counts: true, unit: 'µs', better: 'less', blocks: 5 })
    expect(rows.map(({ name, ratio, instructions }) => [name, ratio.median, instructions?.median])).toEqual([
      ['bare', 1, undefined],
      ['bare (A/A)', 1, undefined],
      ['svc', 1.5, 900],
      ['plain', 0.5, undefined],
    ])
  })

  it('does not count where two equal things differ, and keeps by how much', async () => {
    const { counts, noise } = await measure(11)
    expect(counts).toBe(false)
    expect(noise).toBeCloseTo(Math.log(1.1))
  })
})
