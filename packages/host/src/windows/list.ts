import { viewOf } from '@svc/contract'
import { entryUrl } from './bundle-url.ts'
import { openWindowsUnder, type WindowParts } from './parts.ts'
import { statusAt } from './silence.ts'
import type { ListedWindow } from './windows.ts'

/** The open windows of a user, oldest first: all that a page needs to put them up again. */
export async function listWindows(services: WindowParts, userId: string): Promise<ListedWindow[]> {
  const now = services.clock.now()
  const open = await openWindowsUnder(services, 'openByUser', [userId])
  const listed = await Promise.all(
    open.map(async ({ id, row }): Promise<ListedWindow | null> => {
      const version = await services.copies.versions.get(row.version_id)
      // A pushed draft may have dropped the view of an open window: the default one stands in.
      const view = version && (viewOf(version.row.manifest, row.view) ?? viewOf(version.row.manifest))
      if (!version || !view) return null
      return {
        window_uuid: id,
        app_id: row.app_id,
        view: row.view,
        entry_url: entryUrl(services, version.row, id),
        view_meta: view,
        geometry: row.geometry,
        title: row.title,
        opened_by: row.opened_by ?? null,
        status: statusAt(row, now, services.limits),
      }
    }),
  )
  return listed.filter((row) => row !== null)
}
