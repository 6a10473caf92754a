import { describe, expect, it } from 'vitest'
import { sessionOf } from '../testing/session.ts'
import { countdownsOf, soonestEnd } from './session-times.ts'

const texts = (...args: Parameters<typeof countdownsOf>) => countdownsOf(...args).map(({ text }) => text)
const late = (...args: Parameters<typeof countdownsOf>) =>
  countdownsOf(...args)
    .filter((one) => one.late)
    .map(({ name }) => name)

describe('countdownsOf', () => {
  it('names the three times of a session', () => {
    expect(countdownsOf(sessionOf(1), 0).map(({ name }) => name)).toEqual([
      'Token',
      'Idle window',
      'Lifetime',
    ])
  })

  it.each([
    ['when it is told', {}, 0, ['10 min', '30 min', '24 h']],
    ['5 s later', {}, 5_000, ['9 min 55 s', '29 min', '23 h 59 min']],
    ['without a token', { expires_in: 3 }, 3_000, ['with the next call', '29 min', '23 h 59 min']],
    ['at work', { active_runs: 1, idle_expires_in: 0 }, 0, ['10 min', 'held open', '24 h']],
    ['past its ends', {}, 90_000_000, ['with the next call', 'over', 'over']],
  ])('counts down: %s', (_, rest, passed, expected) => {
    expect(texts(sessionOf(1, rest), passed)).toEqual(expected)
  })

  it.each([
    ['far', {}, []],
    ['idle soon', { idle_expires_in: 59 }, ['Idle window']],
    ['a minute', { idle_expires_in: 60 }, []],
    ['idle soon, at work', { idle_expires_in: 59, active_runs: 2 }, []],
    ['old', { max_lifetime_in: 59, active_runs: 2 }, ['Lifetime']],
  ])('points out an end that is near: %s', (_, rest, expected) => {
    expect(late(sessionOf(1, rest), 0)).toEqual(expected)
  })
})

it.each([
  ['no session', [], Number.POSITIVE_INFINITY],
  ['the idle end', [sessionOf(1), sessionOf(2, { idle_expires_in: 7 })], 7_000],
  ['a run, which holds it off', [sessionOf(1, { idle_expires_in: 7, active_runs: 1 })], 86_400_000],
  ['the longest life', [sessionOf(1, { max_lifetime_in: 9 })], 9_000],
])('the first end of %s', (_, sessions, ms) => {
  expect(soonestEnd(sessions)).toBe(ms)
})
