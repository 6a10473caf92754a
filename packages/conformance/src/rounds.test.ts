import { afterEach, expect, it, vi } from 'vitest'
import { rounds } from './rounds.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it.each([
  [10, undefined, 'test', 10],
  [400, undefined, 'test', 20],
  [20_000, undefined, 'test', 200],
  [20_000, undefined, '', 200],
  [50, undefined, 'all', 50],
  [400, undefined, 'all', 100],
  [20_000, undefined, 'all', 2_000],
  [20_000, undefined, 'release', 20_000],
  [420, 34, 'test', 34],
  [420, 34, 'all', 34],
  [420, 34, 'release', 420],
])('of %d rounds, or a part of %s, "%s" plays %d', (whole, part, command, played) => {
  vi.stubEnv('SVC_ROUNDS', command)
  expect(rounds(whole, part)).toBe(played)
})
