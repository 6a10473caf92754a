import { refuse } from '@svc/contract'
import { update } from '@svc/state'
import { nextLook, statusAt, type WindowRecord, type WindowRow, windows } from '../catalog/window-row.ts'
import type { WindowNeeds } from './services.ts'

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

/**
 * Next → swap until it succeeds, first with the copy and then with what is read. Returns `null` where `next` does, or
 * where there is no such window.
 */
export async function rewrite(
  services: WindowNeeds,
  uuid: string,
  next: (row: WindowRow) => WindowRow | null,
): Promise<WindowRecord | null> {
  let isChanged = false
  const change = (row: WindowRow | null) => {
    const changed = row && next(row)
    isChanged = changed !== null && changed !== row
    return row && isChanged && changed
      ? { ...changed, due_at: nextLook(row, changed, services.clock.now(), services.limits) }
      : changed
  }
  const known = await services.copies.windows.get(uuid)
  const record = await update(services.store, windows, uuid, change, known)
  if (record && isChanged) services.copies.windows.drop(uuid, record)
  return record
}

/** Changes an open window; `null` when it is closed, by its status or by its silence. */
export const changeOpen = (services: WindowNeeds, uuid: string, change: (row: WindowRow) => WindowRow) =>
  rewrite(services, uuid, (row) =>
    statusAt(row, services.clock.now(), services.limits) === 'closed' ? null : change(row),
  )
