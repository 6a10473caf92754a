import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { expect, it } from 'vitest'
import { createAlarm } from './alarm.ts'

function alarms() {
  const clock = frozenClock(0)
  const alarm = createAlarm(clock)
  const rung: number[] = []
  const wait = () => alarm.wait().then(() => rung.push(clock.now()))
  const advance = async (ms: number) => {
    clock.advance(ms)
    await new Promise<void>((done) => setImmediate(done))
  }
  return { clock, alarm, rung, wait, advance }
}

it('rings at its time, once, and waits for another then', async () => {
  const { clock, alarm, rung, wait, advance } = alarms()
  alarm.set(100)
  expect(clock.timers).toBe(0)
  wait()
  await advance(99)
  expect(rung).toEqual([])
  await advance(1)
  alarm.set(200)
  expect(clock.timers).toBe(0)
  await advance(1_000)
  expect(rung).toEqual([100])
  wait()
  await advance(0)
  wait()
  await advance(1_000)
  expect([rung, clock.timers]).toEqual([[100, 1_100], 0])
})

it('rings at the earliest of its times', async () => {
  const { alarm, rung, wait, advance } = alarms()
  wait()
  for (const at of [500, 200, 900]) alarm.set(at)
  await advance(200)
  wait()
  await advance(1_000)
  expect(rung).toEqual([200])
})

it('rings at once for a time that is there, set before or during the wait', async () => {
  const { clock, alarm, rung, wait, advance } = alarms()
  alarm.set(0)
  wait()
  await advance(0)
  wait()
  alarm.set(0)
  await advance(0)
  expect([rung, clock.timers]).toEqual([[0, 0], 0])
})

it('lets every wait go when it has ended', async () => {
  const { clock, alarm, rung, wait, advance } = alarms()
  alarm.set(50)
  wait()
  alarm.end()
  alarm.end()
  await advance(0)
  wait()
  await advance(0)
  expect([rung, clock.timers]).toEqual([[0, 0], 0])
})
