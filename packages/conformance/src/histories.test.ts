import { expect, it, vi } from 'vitest'
import { histories } from './histories.ts'

it.each([
  [50, '', 50],
  [400, '', 100],
  [20_000, '', 2_000],
  [50, 'whole', 50],
  [20_000, 'whole', 20_000],
])('of %d histories, where "%s" are asked for, %d are played', (whole, asked, played) => {
  vi.stubEnv('SVC_HISTORIES', asked)
  try {
    expect(histories(whole)).toBe(played)
  } finally {
    vi.unstubAllEnvs()
  }
})
