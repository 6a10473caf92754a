import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepAliveClock, systemClock } from './clock.ts'

const DAY_MS = 24 * 3600 * 1000

describe.each([
  ['systemClock', systemClock],
  ['keepAliveClock', keepAliveClock],
])('%s', (_name, clock) => {
  beforeEach(() => void vi.useFakeTimers({ now: 1000 }))
  afterEach(() => void vi.useRealTimers())

  it('shows the time of the machine', () => {
    expect(clock.now()).toBe(1000)
  })

  it.each([5, 2 ** 31 - 1, 2 ** 31, 60 * DAY_MS])('waits %d ms, no more and no less', (ms) => {
    let fired = 0
    clock.setTimer(() => fired++, ms)
    vi.advanceTimersByTime(ms - 1)
    expect(fired).toBe(0)
    vi.advanceTimersByTime(1)
    expect(fired).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes a timer back at any time, once or twice', () => {
    const stop = clock.setTimer(() => expect.fail('fired'), 60 * DAY_MS)
    vi.advanceTimersByTime(40 * DAY_MS)
    stop()
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
