import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { frozenClock } from '@svc/node/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openProgress } from './progress.ts'
import type { JobProgress } from './runner.ts'

function openBed() {
  const clock = frozenClock()
  const passed: JobProgress[] = []
  let dropped = 0
  const gate = openProgress(
    {
      onProgress: (one) => passed.push(one),
      onDropped: (count) => {
        dropped += count
      },
    },
    limits,
    clock.now,
  )
  const burst = (count: number) => {
    for (let at = 0; at < count; at++) gate.take('progress', at)
  }
  return { clock, gate, passed, burst, dropped: () => dropped }
}

describe('the rate', () => {
  verifies('job.progress.rate', 'lets fifty through at once and counts the rest', () => {
    const { burst, passed, dropped } = openBed()
    burst(53)
    expect(passed.map(({ json }) => json)).toEqual(Array.from({ length: 50 }, (_, at) => String(at)))
    expect(dropped()).toBe(3)
  })

  verifies.each('job.progress.rate')([
    [19, 0],
    [20, 1],
    [500, 25],
    [1_000, 50],
    [3_600_000, 50],
  ])('after %i ms %i more may pass', async (ms, more) => {
    const { burst, clock, passed } = openBed()
    burst(50)
    await clock.advance(ms)
    burst(60)
    expect(passed).toHaveLength(50 + more)
  })

  verifies('job.progress.rate', 'never lets more through than the bucket and the time allow', async () => {
    const gaps = fc.array(fc.nat({ max: 200 }), { maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(gaps, async (waits) => {
        const { burst, clock, passed, dropped } = openBed()
        let spent = 0
        for (const ms of waits) {
          await clock.advance(ms)
          spent += ms
          burst(3)
        }
        expect(passed.length).toBeLessThanOrEqual(50 + (spent * 50) / 1_000)
        expect(passed.length + dropped()).toBe(waits.length * 3)
      }),
    )
  })

  it('fills nothing from a clock that was set back, and goes on from there', async () => {
    const { burst, clock, passed } = openBed()
    burst(50)
    await clock.advance(-60_000)
    burst(1)
    expect(passed).toHaveLength(50)
    await clock.advance(20)
    burst(2)
    expect(passed).toHaveLength(51)
  })
})

describe('the size', () => {
  verifies.each('job.progress.size')([
    ['exactly the cap', 'x'.repeat(8_190), true],
    ['one byte more', 'x'.repeat(8_191), false],
    ['bytes, not characters', 'ü'.repeat(4_095), true],
    ['a character of two bytes too many', 'ü'.repeat(4_096), false],
    ['nothing', undefined, true],
  ])('%s', (_, data, passes) => {
    const { gate, passed, dropped } = openBed()
    gate.take('note', data)
    expect([passed, dropped()]).toEqual(
      passes ? [[{ type: 'note', json: JSON.stringify(data ?? null) }], 0] : [[], 1],
    )
  })

  it.each([
    [64, true],
    [65, false],
  ])('a name of %i characters', (chars, passes) => {
    const { gate, passed } = openBed()
    gate.take('t'.repeat(chars), 1)
    expect(passed).toHaveLength(passes ? 1 : 0)
  })

  it('costs nothing where it is too much', () => {
    const { gate, burst, passed, dropped } = openBed()
    for (let at = 0; at < 100; at++) gate.take('progress', 'x'.repeat(9_000))
    gate.drop()
    burst(50)
    expect([passed.length, dropped()]).toEqual([50, 101])
  })
})
