import type { Geometry, Limits, WindowStatus } from '@svc/contract'
import { window as states } from '@svc/contract/states'
import { all, collection, type StoreRecord } from '@svc/state'
import type { KernelServices } from '../kernel/services.ts'

/** A window. The record's id is its `window_uuid`. Times are Unix ms. */
export interface WindowRow {
  readonly user_id: string
  readonly app_id: string
  readonly version_id: string
  readonly view: string
  readonly title: string
  readonly payload?: unknown
  /** The app that opened it, or gave it its payload last; left out: the user did. */
  readonly opened_by?: string
  readonly geometry: Geometry
  readonly status: WindowStatus
  readonly opened_at: number
  readonly last_seen_at: number
  readonly closed_at: number | null
  readonly close_reason: string | null
  /** The digest of the bundle that its document was loaded from, once it said hello. */
  readonly digest?: string
  /** The digests of the terms of plugins of others that the user agreed to for this window alone. */
  readonly agreed?: readonly string[]
  /** How often a page showed it that had not opened it. */
  readonly attached?: number
  /** When the sweeper looks at it next, at the latest at the end of its silence; `null` once closed. */
  readonly due_at: number | null
}

/** A window's record. */
export type WindowRecord = StoreRecord<WindowRow>

export const windows = collection({
  name: 'windows',
  row: {} as WindowRow,
  indexes: {
    byUser: (row) => [row.user_id, row.opened_at],
    openByUser: (row) => (row.status === 'closed' ? null : [row.user_id, row.opened_at]),
    openByView: (row) => (row.status === 'closed' ? null : [row.user_id, row.app_id, row.view]),
    openByVersion: (row) => (row.status === 'closed' ? null : [row.version_id]),
    openByDigest: (row) => (row.status === 'closed' || row.digest === undefined ? null : [row.digest]),
    closedByUser: (row) => (row.closed_at === null ? null : [row.user_id, row.closed_at]),
    closedAt: (row) => (row.closed_at === null ? null : [row.closed_at]),
    dueAt: (row) => (row.due_at === null ? null : [row.due_at]),
  },
})

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

/**
 * When the sweeper looks at a window that changes: at the latest when silence changes it. While the look that is planned
 * is far off it stays, so that most calls move nothing in an index. One that has come is over: the sweeper would find the
 * window again each time.
 */
export function nextLook(before: WindowRow, after: WindowRow, now: number, limits: Limits): number | null {
  const due = dueAt(after, limits)
  const planned = before.due_at
  if (due === null || planned === null || planned <= now || planned > due) return due
  if (before.status !== after.status) return due
  return planned - after.last_seen_at > 2 * limits.WINDOW_SEEN_WRITE_MS ? planned : due
}

/** Every open window under a key of an index, in its order. */
export function openWindowsUnder(
  { clock, limits, store }: Pick<KernelServices, 'clock' | 'limits' | 'store'>,
  index: 'openByUser' | 'openByView' | 'openByVersion' | 'openByDigest',
  eq: readonly string[],
): Promise<WindowRecord[]> {
  const now = clock.now()
  return all(store, windows, index, { eq }).then((found) =>
    found.filter(({ row }) => statusAt(row, now, limits) !== 'closed'),
  )
}
