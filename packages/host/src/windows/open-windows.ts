import { installId } from '../catalog/records.ts'
import { changeOpen } from './change.ts'
import { closeAll, closeOwn } from './close.ts'
import { listWindows } from './list.ts'
import { mintFor, openWindow } from './open.ts'
import { openView } from './open-view.ts'
import { type InstallFinder, noSuchWindow, ownWindow, type WindowParts } from './parts.ts'
import { raiseWindow } from './raise.ts'
import { seenBy } from './seen.ts'
import { sweepWindows } from './sweep.ts'
import type { Windows } from './windows.ts'

/** Makes the windows of a house; it opens nothing that would have to be closed. */
export function openWindows(house: WindowParts & InstallFinder): Windows {
  return {
    open: (userId, request) => openWindow(house, userId, request),
    list: (userId) => listWindows(house, userId),
    async token(userId, uuid) {
      const { row } = await ownWindow(house, userId, uuid)
      const install = await house.copies.installs.get(installId(userId, row.app_id))
      const version = await house.copies.versions.get(row.version_id)
      if (!install || !version) throw noSuchWindow()
      return mintFor(house, uuid, install.row, version.row, row)
    },
    close: (userId, uuid, reason) => closeOwn(house, userId, uuid, reason),
    openView: (from, view, payload, appId) => openView(house, from, view, payload, appId),
    change: (uuid, change) => changeOpen(house, uuid, change),
    async raise(userId, uuid) {
      await ownWindow(house, userId, uuid)
      await raiseWindow(house, userId, uuid)
    },
    seen: seenBy(house),
    closeAll: (userId, appId, reason) => closeAll(house, userId, appId, reason),
    sweep: () => sweepWindows(house),
  }
}
