import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'

const DAY_MS = 24 * 3600 * 1000

describe('systemClock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1000 }))
  afterEach(() => void vi.useRealTimers())

  it('shows the time of the machine', () => {
    expect(systemClock.now()).toBe(1000)
  })

  it.each([5, 2 ** 31 - 1, 2 ** 31, 60 * DAY_MS])('waits %d ms, no more and no less', (ms) => {
    let fired = 0
    systemClock.setTimer(() => fired++, ms)
    vi.advanceTimersByTime(ms - 1)
    expect(fired).toBe(0)
    vi.advanceTimersByTime(1)
    expect(fired).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes a timer back at any time, once or twice', () => {
    const stop = systemClock.setTimer(() => expect.fail('fired'), 60 * DAY_MS)
    vi.advanceTimersByTime(40 * DAY_MS)
    stop()
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
