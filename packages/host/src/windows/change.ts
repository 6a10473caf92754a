import { update } from '@svc/state'
import { type WindowRow, windows } from '../catalog/records.ts'
import type { WindowParts } from './parts.ts'
import { dueAt, statusAt } from './silence.ts'
import type { WindowRecord } from './windows.ts'

/** Read → next → swap until it holds; `null` where `next` gives none or there is no such window. */
export async function rewrite(
  services: WindowParts,
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
export const changeOpen = (services: WindowParts, uuid: string, change: (row: WindowRow) => WindowRow) =>
  rewrite(services, uuid, (row) =>
    statusAt(row, services.clock.now(), services.limits) === 'closed' ? null : change(row),
  )
