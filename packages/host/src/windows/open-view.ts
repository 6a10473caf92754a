import { checkPayload, insertWindow, targetOf, tooManyWindows } from './open.ts'
import { type InstallFinder, openWindowsUnder, type WindowParts } from './parts.ts'
import { raiseWindow } from './raise.ts'
import { sweepWindows } from './sweep.ts'
import type { WindowRecord } from './windows.ts'

interface OpenedView {
  readonly window_uuid: string
  readonly created: boolean
}

/**
 * Brings the window of a view to the front, or opens it, and tells the page (`window.open_view`): of the app of
 * `from`, or of another that the user has; without a name its default view. Of two calls at once one opens it and the other raises that one: the cap of the insert decides.
 */
export async function openView(
  services: WindowParts & InstallFinder,
  from: WindowRecord,
  name: string | undefined,
  payload: unknown,
  app_id = from.row.app_id,
): Promise<OpenedView> {
  const { user_id } = from.row
  checkPayload(payload, services.limits.WINDOW_PAYLOAD_MAX_BYTES)
  const isOwn = app_id === from.row.app_id
  const view =
    isOwn && name !== undefined ? name : (await targetOf(services, user_id, app_id, name)).view.name
  const shown = await show()
  services.events.emit(user_id, 'view_opened', from.id, {
    app_id,
    opened_uuid: shown.window_uuid,
    view,
    created: shown.created,
    opened_by: from.row.app_id,
    ...(payload !== undefined && { payload }),
  })
  return shown

  async function show(): Promise<OpenedView> {
    for (;;) {
      const open = await openWindowsUnder(services, 'openByView', [user_id, app_id, view])
      const top = open.sort((a, b) => b.row.geometry.z - a.row.geometry.z)[0]
      if (top) {
        await raiseWindow(
          services,
          user_id,
          top.id,
          payload === undefined ? undefined : { payload, opened_by: from.row.app_id },
        )
        return { window_uuid: top.id, created: false }
      }
      const target = await targetOf(services, user_id, app_id, view)
      const opened = await insertWindow(services, target, payload, from.row.app_id)
      if (opened === 'windows' || opened === 'app') throw tooManyWindows(opened, services.limits)
      if (opened !== 'view') return { window_uuid: opened.id, created: true }
      // What holds the place is a window opened meanwhile, or one whose silence is over and not yet noted.
      await sweepWindows(services)
    }
  }
}
