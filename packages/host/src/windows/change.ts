import { type WindowRow, windows } from '../records.ts'
import type { WindowParts } from './parts.ts'
import { dueAt, statusAt } from './silence.ts'
import type { WindowRecord } from './windows.ts'

/** Read → next → swap until it holds; `null` where `next` gives none or there is no such window. */
export async function rewrite(
  house: WindowParts,
  uuid: string,
  next: (row: WindowRow) => WindowRow | null,
): Promise<WindowRecord | null> {
  for (;;) {
    const record = await house.store.get(windows, uuid)
    const changed = record && next(record.row)
    if (!record || !changed) return null
    if (changed === record.row) return record
    const row = { ...changed, due_at: dueAt(changed, house.limits) }
    const swapped = await house.store.swap(windows, uuid, record.revision, row)
    if (!swapped.ok) continue
    house.copies.windows.drop(uuid, swapped.record)
    return swapped.record
  }
}

/** Changes an open window; `null` when it is closed, by its status or by its silence. */
export const changeOpen = (house: WindowParts, uuid: string, change: (row: WindowRow) => WindowRow) =>
  rewrite(house, uuid, (row) =>
    statusAt(row, house.clock.now(), house.limits) === 'closed' ? null : change(row),
  )
