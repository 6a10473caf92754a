import { limits } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { dueAt, nextLook, statusAt, type WindowRow } from './window-row.ts'

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

describe('nextLook', () => {
  const rowAt = (status: WindowRow['status'], last_seen_at: number, due_at: number | null): WindowRow => ({
    user_id: 'ada',
    app_id: 'app',
    version_id: 'version',
    view: 'main',
    title: 'T',
    geometry: { w: 1, h: 1, z: 1 },
    status,
    opened_at: 0,
    last_seen_at,
    closed_at: null,
    close_reason: null,
    due_at,
  })
  const FAR = 2 * limits.WINDOW_SEEN_WRITE_MS + 1

  test.each([
    ['stays while it is far off', 'open', 'open', STALE - FAR, STALE],
    ['moves when it comes near', 'open', 'open', STALE - FAR + 1, 2 * STALE - FAR + 1],
    ['moves when it has passed', 'open', 'open', 2 * STALE, 3 * STALE],
    ['moves with the status', 'open', 'stale', 1, 1 + DAY],
    ['moves with a wakeup', 'stale', 'open', 1, 1 + STALE],
    ['ends with the window', 'open', 'closed', 1, null],
  ] as const)('%s', (_, before, after, seen, look) => {
    const [old, changed] = [rowAt(before, 0, STALE), rowAt(after, seen, STALE)]
    expect(nextLook(old, changed, seen, limits)).toBe(look)
  })

  test.each([
    ['stays before it has come', STALE - 1, STALE],
    ['moves once it has come', STALE, STALE + 200_000],
  ])('%s', (_, now, look) => {
    const row = rowAt('open', 200_000, STALE)
    expect(nextLook(row, row, now, limits)).toBe(look)
  })

  test('is never behind the end of the silence', () => {
    expect(nextLook(rowAt('open', 0, STALE + 1), rowAt('open', 0, STALE + 1), 0, limits)).toBe(STALE)
  })
})
