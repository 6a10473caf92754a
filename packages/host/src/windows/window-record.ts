import { type Limits, refuse, type WindowStatus } from '@svc/contract'
import { window as states } from '@svc/contract/states'
import { all, type StoreRecord, update } from '@svc/state'
import { type WindowRow, windows } from '../catalog/records.ts'
import type { WindowNeeds } from './services.ts'

/** A window's record. */
export type WindowRecord = StoreRecord<WindowRow>

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

/** Every open window under a key of an index, in its order. */
export async function openWindowsUnder(
  services: Pick<WindowNeeds, 'clock' | 'limits' | 'store'>,
  index: 'openByUser' | 'openByView' | 'openByVersion' | 'openByDigest',
  eq: readonly string[],
): Promise<WindowRecord[]> {
  const now = services.clock.now()
  const found = await all(services.store, windows, index, { eq })
  return found.filter(({ row }) => statusAt(row, now, services.limits) !== 'closed')
}

/** The refusal for a window that is unknown, closed or another's: the three look the same. */
export const noSuchWindow = () => refuse('not_found', 'there is no open window of that id for this user')

/** An open window of this user. Errors: `not_found`. */
export async function ownWindow(
  services: Pick<WindowNeeds, 'clock' | 'copies' | 'limits'>,
  userId: string,
  uuid: string,
): Promise<WindowRecord> {
  const record = await services.copies.windows.get(uuid)
  if (record?.row.user_id !== userId) throw noSuchWindow()
  if (statusAt(record.row, services.clock.now(), services.limits) === 'closed') throw noSuchWindow()
  return record
}

/** The highest `z` among windows; 0 where there is none. */
export const topOf = (records: readonly { readonly row: WindowRow }[]): number =>
  records.reduce((top, { row }) => Math.max(top, row.geometry.z), 0)

/** Read → next → swap until it holds; `null` where `next` gives none or there is no such window. */
export async function rewrite(
  services: WindowNeeds,
  uuid: string,
  next: (row: WindowRow) => WindowRow | null,
): Promise<WindowRecord | null> {
  let isChanged = false
  const record = await update(services.store, windows, uuid, (row) => {
    const changed = row && next(row)
    isChanged = changed !== null && changed !== row
    return isChanged && changed ? { ...changed, due_at: dueAt(changed, services.limits) } : changed
  })
  if (record && isChanged) services.copies.windows.drop(uuid, record)
  return record
}

/** Changes an open window; `null` when it is closed, by its status or by its silence. */
export const changeOpen = (services: WindowNeeds, uuid: string, change: (row: WindowRow) => WindowRow) =>
  rewrite(services, uuid, (row) =>
    statusAt(row, services.clock.now(), services.limits) === 'closed' ? null : change(row),
  )

/** Makes `seen`: nothing to do for most calls, one write under way a window for the rest. */
export function seenBy(services: WindowNeeds): (record: WindowRecord, now: number) => void {
  const { clock, limits, log } = services
  const waking = new Set<string>()
  return ({ id, row }, now) => {
    const silence = now - row.last_seen_at
    const asleep = states.next(row.status, 'call') !== row.status || silence >= limits.WINDOW_STALE_MS
    if ((!asleep && silence <= limits.WINDOW_SEEN_WRITE_MS) || waking.has(id)) return
    waking.add(id)
    changeOpen(services, id, (open) => ({
      ...open,
      status: states.next(open.status, 'call') ?? open.status,
      last_seen_at: Math.max(open.last_seen_at, clock.now()),
    }))
      .catch((error) => log.error({ err: error, window: id }, 'the time of a call was not written down'))
      .finally(() => waking.delete(id))
  }
}
