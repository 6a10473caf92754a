import type { Limits, WindowStatus } from '@svc/contract'
import { window as states } from '@svc/contract/states'
import type { WindowRow } from '../catalog/records.ts'

type SilenceRow = Pick<WindowRow, 'status' | 'last_seen_at'>

/**
 * The status of a window now: its silence counts whether or not the sweeper has come by.
 * Silent for `WINDOW_STALE_MS` it is stale, for `WINDOW_SILENT_CLOSE_MS` closed.
 */
export function statusAt(row: SilenceRow, now: number, limits: Limits): WindowStatus {
  const silence = now - row.last_seen_at
  if (silence >= limits.WINDOW_SILENT_CLOSE_MS) return states.next(row.status, 'close') ?? row.status
  if (silence >= limits.WINDOW_STALE_MS) return states.next(row.status, 'silence') ?? row.status
  return row.status
}

/** When silence changes a window next, in Unix ms; `null` once it is closed. */
export function dueAt(row: SilenceRow, limits: Limits): number | null {
  if (row.status === 'closed') return null
  const closes = row.last_seen_at + limits.WINDOW_SILENT_CLOSE_MS
  if (states.next(row.status, 'silence') === row.status) return closes
  return Math.min(row.last_seen_at + limits.WINDOW_STALE_MS, closes)
}
