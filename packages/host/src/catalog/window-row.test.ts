import { limits } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { dueAt, statusAt } from './window-row.ts'

const STALE = 300_000
const DAY = 86_400_000

describe('statusAt', () => {
  test.each([
    ['open', 0, 'open'],
    ['open', STALE - 1, 'open'],
    ['open', STALE, 'stale'],
    ['open', DAY - 1, 'stale'],
    ['open', DAY, 'closed'],
    ['stale', 0, 'stale'],
    ['stale', DAY, 'closed'],
    ['crashed', STALE, 'crashed'],
    ['crashed', DAY, 'closed'],
    ['closed', 0, 'closed'],
    ['closed', DAY * 2, 'closed'],
  ] as const)('%s after %i ms of silence is %s', (status, silence, now) => {
    expect(statusAt({ status, last_seen_at: 1_000 }, 1_000 + silence, limits)).toBe(now)
  })
})

describe('dueAt', () => {
  test.each([
    ['open', 1_000 + STALE],
    ['stale', 1_000 + DAY],
    ['crashed', 1_000 + DAY],
    ['closed', null],
  ] as const)('%s is due at %s', (status, due) => {
    expect(dueAt({ status, last_seen_at: 1_000 }, limits)).toBe(due)
  })

  test('a window that closes before it would be stale is due at its end', () => {
    const short = { ...limits, WINDOW_SILENT_CLOSE_MS: 10 }
    expect(dueAt({ status: 'open', last_seen_at: 1_000 }, short)).toBe(1_010)
  })
})
