import { each } from '@svc/state'
import { type WindowRow, windows } from '../catalog/records.ts'
import { rewrite } from './change.ts'
import { closeWindow } from './close.ts'
import type { WindowParts } from './parts.ts'
import { statusAt } from './silence.ts'

/** The `close_reason` of a window that nobody used for `WINDOW_SILENT_CLOSE_MS`. */
const SILENT = 'silent'

/** Marks the windows that fell silent as stale and closes the ones that stayed so. */
export async function sweepWindows(services: WindowParts): Promise<void> {
  const now = services.clock.now()
  const is = (status: WindowRow['status']) => (row: WindowRow) =>
    statusAt(row, now, services.limits) === status
  for await (const { id, row } of each(services.store, windows, 'dueAt', { to: now }))
    if (is('closed')(row)) await closeWindow(services, id, SILENT, is('closed'))
    else
      await rewrite(services, id, (current) => ({
        ...current,
        status: statusAt(current, now, services.limits),
      }))
}
