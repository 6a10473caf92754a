import { describe, expect, it } from 'vitest'
import { frozenClock } from './frozen-clock.ts'

describe('frozenClock', () => {
  it('stands still until it is moved', async () => {
    const clock = frozenClock(1000)
    expect(clock.now()).toBe(1000)
    await clock.advance(5)
    expect(clock.now()).toBe(1005)
  })

  it('fires what falls due in order, each at its own time', async () => {
    const clock = frozenClock(0)
    const fired: string[] = []
    const set = (name: string, ms: number) => clock.setTimer(() => fired.push(`${name}@${clock.now()}`), ms)
    set('late', 30)
    set('early', 10)
    set('first of two', 20)
    set('second of two', 20)
    set('too late', 31)
    await clock.advance(30)
    expect(fired).toEqual(['early@10', 'first of two@20', 'second of two@20', 'late@30'])
    expect(clock.timers).toBe(1)
  })

  it('fires timers that are set on the way, also after an await', async () => {
    const clock = frozenClock(0)
    const ticks: number[] = []
    const tick = async () => {
      await Promise.resolve()
      ticks.push(clock.now())
      clock.setTimer(tick, 10)
    }
    clock.setTimer(tick, 10)
    await clock.advance(35)
    expect(ticks).toEqual([10, 20, 30])
  })

  it('does not fire what was taken back', async () => {
    const clock = frozenClock(0)
    const fired: string[] = []
    const stop = clock.setTimer(() => fired.push('b'), 20)
    clock.setTimer(() => stop(), 10)
    await clock.advance(50)
    stop()
    expect(fired).toEqual([])
    expect(clock.timers).toBe(0)
  })
})
