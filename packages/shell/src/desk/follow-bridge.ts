import type { BridgeEvents } from '@svc/bridge'
import { isFront } from '../geometry/z-order.ts'
import { isOfOutage } from '../state/notices.ts'
import { type DeskParts, keyOf } from '../state/parts.ts'
import { markLost } from '../state/queries.ts'
import { forgetNotices } from '../state/tell.ts'
import { add } from '../windows/open.ts'
import { bringForBundle, lift } from '../windows/raise.ts'
import { loadDesk } from '../windows/restore.ts'
import { signInAgain } from '../windows/sign-in.ts'

/** Keeps the page in step with the events of the bridge about all windows and the host. Returns how to stop. */
export function followBridge(parts: DeskParts): () => void {
  const { bridge, queries, store, say } = parts

  const away = (host: 'lost' | 'intercepted', sentence: string) => {
    store.set((state) => ({ ...state, host }))
    forgetNotices(store, isOfOutage)
    markLost(queries)
    say(sentence)
  }
  const stops = [
    bridge.on('view_opened', (event) => showView(parts, event)),
    bridge.on('host_lost', () => away('lost', 'The host does not respond; trying again')),
    bridge.on('intercepted', () => away('intercepted', 'Something between this page and its host blocks it')),
    bridge.on('host_back', () => {
      store.set((state) => ({ ...state, host: 'there' }))
      forgetNotices(store, isOfOutage)
      say('The host is back')
      // A sign-in that it has forgotten is told by `signed_out`.
      loadDesk(parts).catch(() => undefined)
      void queries.invalidateQueries()
    }),
    parts.tabs.hear(() => {
      const { signIn, host } = store.get()
      if (signIn.phase !== 'in' || host !== 'there') return
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

/** Shows a view that a bundle opened, in front of the window of that bundle. */
function showView(parts: DeskParts, event: Parameters<BridgeEvents['view_opened']>[0]): void {
  const { app_id: appId, opened_uuid: windowUuid, view } = event
  const isInFront = (key: string) => isFront(parts.store.get().windows, key)
  const openerKey = keyOf(parts, event.window_uuid)
  // One that is here already was brought to the front by its own window_focus_changed.
  const key =
    keyOf(parts, windowUuid) ?? add(parts, { appId, view, windowUuid, ...(openerKey && { openerKey }) })
  const wasInFront = isInFront(key)
  // The click that had it opened went into its opener before: that window comes under it.
  for (const checkFocus of parts.focusChecks) checkFocus()
  if (openerKey === undefined || openerKey === key || !isInFront(openerKey)) return
  const bring = () => lift(parts, key)
  if (wasInFront) bring()
  else bringForBundle(parts, key, { wanted: () => isInFront(openerKey), bring })
}
