import type { DeskParts } from '../state/parts.ts'
import { markLost } from '../state/queries.ts'
import { add, isOnDesk } from '../windows/open.ts'
import { loadDesk } from '../windows/restore.ts'
import { signInAgain } from '../windows/sign-in.ts'

/** Keeps the page in step with the events of the bridge about all windows and the host. Returns how to stop. */
export function followBridge(parts: DeskParts): () => void {
  const { bridge, queries, store, say } = parts

  const stops = [
    bridge.on('view_opened', ({ window_uuid, app_id, opened_uuid, view }) => {
      // A view that is here already is raised by its own window_focus_changed.
      if (isOnDesk(parts, opened_uuid)) return
      // The click that had it opened went into its opener before.
      for (const checkFocus of parts.focusChecks) checkFocus()
      const opener = store.get().windows.find(({ uuid }) => uuid === window_uuid)
      add(parts, { appId: app_id, view, windowUuid: opened_uuid, ...(opener && { openerKey: opener.key }) })
    }),
    bridge.on('host_lost', () => {
      store.set((state) => ({ ...state, host: 'lost' }))
      markLost(queries)
      say('The host does not respond; trying again')
    }),
    bridge.on('host_back', () => {
      store.set((state) => ({ ...state, host: 'there' }))
      say('The host is back')
      // A sign-in that it has forgotten is told by `signed_out`.
      loadDesk(parts).catch(() => undefined)
      void queries.invalidateQueries()
    }),
    bridge.on('reset', () => void queries.invalidateQueries()),
    bridge.on('signed_out', () => void signInAgain(parts)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
