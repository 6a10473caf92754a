import { window as states } from '@svc/contract/states'
import type { WindowRow } from '../catalog/records.ts'
import { rewrite } from './change.ts'
import { forgetState } from './forget.ts'
import { noSuchWindow, openWindowsUnder, type WindowParts } from './parts.ts'

/**
 * Closes a window where `may` agrees. One caller wins and tells the user; the others find nothing to do.
 * Its calls end as with a connection that is cut; jobs go on. `closed_at` is what the end of its sessions is counted from.
 */
export async function closeWindow(
  services: WindowParts,
  uuid: string,
  reason: string | null,
  may: (row: WindowRow) => boolean = () => true,
): Promise<void> {
  const closed = await rewrite(services, uuid, (row) => {
    const status = states.next(row.status, 'close')
    if (status === null || !may(row)) return null
    // Nobody reads it again, and its record stays for a while.
    const { payload: _payload, ...kept } = row
    return { ...kept, status, closed_at: services.clock.now(), close_reason: reason }
  })
  if (!closed) return
  services.underWay.cut({ userId: closed.row.user_id, windowUuid: uuid })
  services.events.emit(closed.row.user_id, 'close_view', uuid, { reason })
  // What this leaves behind, or a call under way writes after it, goes with the record of the window.
  await forgetState(services.store, uuid).catch((err: unknown) => {
    services.log.warn({ err, window: uuid }, 'the state of a closed window was not forgotten yet')
  })
}

/** Closes a window of this user; one that is closed already stays as it is. Errors: `not_found`. */
export async function closeOwn(services: WindowParts, userId: string, uuid: string, reason: string | null) {
  const record = await services.copies.windows.get(uuid)
  if (record?.row.user_id !== userId) throw noSuchWindow()
  await closeWindow(services, uuid, reason)
}

/** Closes every window of an app that a user has open. */
export async function closeAll(services: WindowParts, userId: string, appId: string, reason: string) {
  const open = await openWindowsUnder(services, 'openByUser', [userId])
  for (const { id, row } of open) if (row.app_id === appId) await closeWindow(services, id, reason)
}
