import { expect, it } from 'vitest'
import { openAlarm } from './alarm.ts'
import { frozenClock } from './testing/frozen-clock.ts'

function openBed() {
  const clock = frozenClock(0)
  const alarm = openAlarm(clock)
  const rang: string[] = []
  return { clock, alarm, rang, set: (atMs: number, name: string) => alarm.set(atMs, () => rang.push(name)) }
}

it('rings at its moment, once', async () => {
  const { clock, rang, set } = openBed()
  set(100, 'a')
  await clock.advance(99)
  expect(rang).toEqual([])
  await clock.advance(1_000)
  expect(rang).toEqual(['a'])
})

it('keeps its timer from wait to wait and rings only for the last', async () => {
  const { clock, alarm, rang, set } = openBed()
  set(100, 'a')
  alarm.clear()
  set(150, 'b')
  expect(clock.timers).toBe(1)
  await clock.advance(149)
  expect(rang).toEqual([])
  await clock.advance(1)
  expect(rang).toEqual(['b'])
})

it('takes an earlier moment than the one before', async () => {
  const { clock, rang, set } = openBed()
  set(100, 'a')
  set(50, 'b')
  await clock.advance(50)
  expect(rang).toEqual(['b'])
  expect(clock.timers).toBe(0)
})

it('lets go of everything when it is closed, twice too', async () => {
  const { clock, alarm, rang, set } = openBed()
  set(100, 'a')
  alarm.close()
  alarm.close()
  await clock.advance(200)
  expect([rang, clock.timers]).toEqual([[], 0])
})

it('takes no wait after it was closed: a timer would keep a program from ending', async () => {
  const { clock, alarm, rang, set } = openBed()
  alarm.close()
  set(100, 'a')
  expect(clock.timers).toBe(0)
  await clock.advance(200)
  expect(rang).toEqual([])
})
