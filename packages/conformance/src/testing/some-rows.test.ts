import { afterEach, expect, it, vi } from 'vitest'
import { someRows } from './some-rows.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const rows = [0, 1, 2, 3, 4, 5, 6]

it.each([
  ['all', 3, [2, 4, 6]],
  ['all', 1, [6]],
  ['all', 9, rows],
  ['release', 2, rows],
])('under "%s" a part of %d is rows from all over the table', (command, part, played) => {
  vi.stubEnv('SVC_ROUNDS', command)
  expect(someRows(rows, part)).toEqual(played)
})
