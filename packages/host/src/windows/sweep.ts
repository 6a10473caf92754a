import type { Page } from '@svc/state'
import { type WindowRow, windows } from '../records.ts'
import { rewrite } from './change.ts'
import { closeWindow } from './close.ts'
import type { WindowParts } from './parts.ts'
import { statusAt } from './silence.ts'

/** Windows that one scan of the sweeper takes up. */
const PAGE = 100

/** The `close_reason` of a window that nobody used for `WINDOW_SILENT_CLOSE_MS`. */
const SILENT = 'silent'

/** Marks the windows that fell silent as stale and closes the ones that stayed so. */
export async function sweepWindows(house: WindowParts): Promise<void> {
  const now = house.clock.now()
  const is = (status: WindowRow['status']) => (row: WindowRow) => statusAt(row, now, house.limits) === status
  for (let after: string | null = null; ; ) {
    const page: Page<WindowRow> = await house.store.scan(windows, 'dueAt', { to: now, after, limit: PAGE })
    for (const { id, row } of page.rows)
      if (is('closed')(row)) await closeWindow(house, id, SILENT, is('closed'))
      else
        await rewrite(house, id, (current) => ({ ...current, status: statusAt(current, now, house.limits) }))
    if (page.next === null) return
    after = page.next
  }
}
