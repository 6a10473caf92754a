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

/** Makes the windows of a host; it opens nothing that would have to be closed. */
export function openWindows(services: WindowParts & InstallFinder): Windows {
  return {
    open: (userId, request) => openWindow(services, userId, request),
    list: (userId) => listWindows(services, userId),
    async token(userId, uuid) {
      const { row } = await ownWindow(services, userId, uuid)
      const install = await services.copies.installs.get(installId(userId, row.app_id))
      const version = await services.copies.versions.get(row.version_id)
      if (!install || !version) throw noSuchWindow()
      return mintFor(services, uuid, install.row, version.row, row)
    },
    close: (userId, uuid, reason) => closeOwn(services, userId, uuid, reason),
    openView: (from, view, payload, appId) => openView(services, from, view, payload, appId),
    change: (uuid, change) => changeOpen(services, uuid, change),
    async raise(userId, uuid) {
      await ownWindow(services, userId, uuid)
      await raiseWindow(services, userId, uuid)
    },
    seen: seenBy(services),
    closeAll: (userId, appId, reason) => closeAll(services, userId, appId, reason),
    sweep: () => sweepWindows(services),
  }
}
