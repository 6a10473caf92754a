import type { WindowRow } from '../catalog/records.ts'
import { changeOpen } from './change.ts'
import { noSuchWindow, openWindowsUnder, topOf, type WindowParts } from './parts.ts'
import type { WindowRecord } from './windows.ts'

/** Puts a window above the others of its user, tells its document, and keeps `given`, a payload and the app that gave it. */
export async function raiseWindow(
  services: WindowParts,
  userId: string,
  uuid: string,
  given?: Required<Pick<WindowRow, 'payload' | 'opened_by'>>,
): Promise<WindowRecord> {
  const others = (await openWindowsUnder(services, 'openByUser', [userId])).filter(({ id }) => id !== uuid)
  const top = topOf(others)
  const raised = await changeOpen(services, uuid, (row) => ({
    ...row,
    ...given,
    geometry: row.geometry.z > top ? row.geometry : { ...row.geometry, z: top + 1 },
  }))
  if (!raised) throw noSuchWindow()
  services.events.emit(userId, 'window_focus_changed', uuid, { focused: true, geometry: raised.row.geometry })
  return raised
}
