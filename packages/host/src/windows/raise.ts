import { changeOpen } from './change.ts'
import { noSuchWindow, openWindowsUnder, topOf, type WindowParts } from './parts.ts'
import type { WindowRecord } from './windows.ts'

/** Puts a window above the others of its user, tells its document, and keeps `payload` where one is given. */
export async function raiseWindow(
  house: WindowParts,
  userId: string,
  uuid: string,
  payload?: unknown,
): Promise<WindowRecord> {
  const others = (await openWindowsUnder(house, 'openByUser', [userId])).filter(({ id }) => id !== uuid)
  const top = topOf(others)
  const raised = await changeOpen(house, uuid, (row) => ({
    ...row,
    ...(payload !== undefined && { payload }),
    geometry: row.geometry.z > top ? row.geometry : { ...row.geometry, z: top + 1 },
  }))
  if (!raised) throw noSuchWindow()
  house.events.emit(userId, 'window_focus_changed', uuid, { focused: true, geometry: raised.row.geometry })
  return raised
}
