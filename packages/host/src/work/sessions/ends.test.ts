import { describe, expect, it } from 'vitest'
import { afterSlide, endBy } from './ends.ts'
import type { SessionRow } from './session-row.ts'

const row = { expires_at: 100, max_lifetime_at: 200 }

describe('endBy', () => {
  it.each([
    [99, null, false, null],
    [100, null, false, { event: 'expire', at: 100 }],
    [100, null, true, null],
    [199, null, true, null],
    [200, null, true, { event: 'expire', at: 200 }],
    [500, null, false, { event: 'expire', at: 100 }],
    [50, 50, true, { event: 'window_closed', at: 50 }],
    [49, 50, true, null],
    [500, 50, false, { event: 'window_closed', at: 50 }],
    [500, 150, false, { event: 'expire', at: 100 }],
    [500, 150, true, { event: 'window_closed', at: 150 }],
    [500, 300, true, { event: 'expire', at: 200 }],
  ] as const)('at %i, with a window that takes it along at %s and a run: %s', (now, window, hasRun, end) => {
    expect(endBy(row, now, window, hasRun)).toEqual(end)
  })
})

describe('slid', () => {
  it.each([
    [10, 60],
    [150, 200],
    [160, 200],
  ])('at %i the idle end is %i', (now, expires_at) => {
    const before = { ...row, idle_ttl_ms: 50 } as SessionRow
    expect(afterSlide(before, now)).toEqual({
      ...before,
      last_active_at: now,
      expires_at,
      due_at: expires_at,
    })
  })
})
