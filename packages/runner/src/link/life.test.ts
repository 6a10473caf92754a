import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { watchSilence } from './life.ts'

function watching() {
  const clock = frozenClock()
  const state = { lost: 0 }
  const timed = {
    now: clock.now,
    setTimer(fn: () => void, ms: number) {
      const timer = clock.setTimeout(fn, ms)
      return () => clock.clearTimeout(timer)
    },
  }
  const life = watchSilence({ clock: timed, silentMs: 3_000, lookMs: 50, onSilent: () => void state.lost++ })
  return { clock, state, life }
}

verifies('link.silent', 'a silence of 3 s and a second look is the end, once', () => {
  const { clock, state } = watching()
  clock.advance(3_049)
  expect(state.lost).toBe(0)
  clock.advance(1)
  expect(state.lost).toBe(1)
  clock.advance(60_000)
  expect(state.lost).toBe(1)
})

verifies('link.silent', 'any sign of life begins the silence anew', () => {
  const { clock, state, life } = watching()
  for (let second = 0; second < 60; second++) {
    clock.advance(2_999)
    life.heard()
  }
  expect(state.lost).toBe(0)
  clock.advance(3_050)
  expect(state.lost).toBe(1)
})

verifies('link.silent', 'what is found at the second look is life', () => {
  const { clock, state, life } = watching()
  clock.advance(3_020)
  life.heard()
  clock.advance(3_030)
  expect(state.lost).toBe(0)
  clock.advance(60)
  expect(state.lost).toBe(1)
})

verifies('link.silent', 'who stops watching hears of no end', () => {
  for (const beforeMs of [0, 2_000, 3_010]) {
    const { clock, state, life } = watching()
    clock.advance(beforeMs)
    life.stop()
    clock.advance(10_000)
    expect(state.lost).toBe(0)
  }
})
