import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { type CallParts, OpenCall } from './context.ts'

const parts = (more: Partial<CallParts> = {}): CallParts => ({
  invokeId: 'inv_1',
  deadlineMs: 1_000,
  clock: frozenClock(0),
  log() {},
  progress() {},
  samplingToken: undefined,
  send() {},
  ...more,
})

it('is over at once where the deadline has passed', () => {
  const call = new OpenCall(parts({ clock: frozenClock(1_000) }))
  expect(call.remainingMs()).toBe(0)
  expect(call.signal.aborted).toBe(true)
  expect(call.isLapse(call.signal.reason)).toBe(true)
})

it('is over when its clock reaches the deadline', async () => {
  const clock = frozenClock(0)
  const { signal } = new OpenCall(parts({ clock }))
  await clock.advance(999)
  expect(signal.aborted).toBe(false)
  await clock.advance(1)
  expect([signal.aborted, clock.timers]).toEqual([true, 0])
})

it('is over where it was cancelled before anyone asked for the signal; the first reason stays', () => {
  const call = new OpenCall(parts())
  call.cancel('first')
  call.cancel('second')
  expect(call.signal.reason).toBe('first')
  expect(call.isLapse('first')).toBe(false)
})

it.each([
  ['the reason', (reason: unknown) => reason, true],
  ['an error made for it', (cause: unknown) => new Error('stopped', { cause }), true],
  ['any other error', () => new Error('enough'), false],
  ['nothing', () => undefined, false],
])('tells a stop that was asked for from trouble: %s', (_, errorOf, isStop) => {
  const call = new OpenCall(parts())
  expect(call.isStop(errorOf('enough'))).toBe(false)
  call.cancel('enough')
  expect(call.isStop(errorOf('enough'))).toBe(isStop)
})

it('does not take just any error for the deadline', () => {
  const call = new OpenCall(parts())
  expect(call.isLapse(undefined)).toBe(false)
  expect(call.signal.aborted).toBe(false)
  call.close()
  call.close()
})
