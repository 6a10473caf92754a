import { expect, it } from 'vitest'
import { levelToInstall } from './stamp.mjs'

it.each([
  ['', 'start', 'start'],
  ['', 'all', 'all'],
  ['start now', 'start', null],
  ['start now', 'all', 'all'],
  ['start old', 'start', 'start'],
  ['start old', 'all', 'all'],
  ['all now', 'start', null],
  ['all now', 'all', null],
  ['all old', 'start', 'all'],
  ['all old', 'all', 'all'],
] as const)('after %j, %s needs %s', (stamp, wanted, level) => {
  expect(levelToInstall(stamp, 'now', wanted)).toBe(level)
})
