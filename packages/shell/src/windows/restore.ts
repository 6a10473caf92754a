import { EVENT_WINDOWS_MAX } from '@svc/contract/browser'
import { frameOf } from '../geometry/rect.ts'
import { readApps } from '../state/apps.ts'
import { changeWindow, type DeskParts, keyOf } from '../state/parts.ts'
import { add } from './open.ts'

/** Reads the user's apps, puts the windows that are open at the host on the desktop, and marks those that are not. */
export async function loadDesk(parts: DeskParts): Promise<void> {
  const { store, bridge, memory } = parts
  const places = memory.places
  await readApps(parts)
  const open = await bridge.listWindows()
  // It answered: what the event stream still waits for comes by itself.
  store.set((state) => ({ ...state, signIn: { phase: 'in' }, host: 'there' }))

  const known = new Set(open.map(({ window_uuid }) => window_uuid))
  for (const { key, uuid, phase } of store.get().windows)
    if (phase === 'open' && uuid !== null && !known.has(uuid))
      changeWindow(parts, key, (one) => ({ ...one, phase: 'lost', connected: false }))

  const fresh = open.filter(({ window_uuid }) => keyOf(parts, window_uuid) === undefined)
  const byHeight = [...fresh].sort((a, b) => a.geometry.z - b.geometry.z)
  const room = Math.max(0, EVENT_WINDOWS_MAX - store.get().windows.length)
  const left = Math.max(0, byHeight.length - room)
  if (left > 0)
    parts.tell({
      code: 'rate_limited',
      sentence: `${left} of your open windows ${left === 1 ? 'is' : 'are'} not shown: a page holds at most ${EVENT_WINDOWS_MAX}`,
      hint: 'The ones used last are here. Close some and reload the page to see the others.',
      source: 'page',
      origin: null,
      details: '',
    })
  const shown = new Set(byHeight.slice(left))
  // In the order in which they were opened, as the task bar had them.
  for (const { window_uuid, app_id, geometry, view, version = null } of fresh.filter((one) =>
    shown.has(one),
  )) {
    const was = places.get(window_uuid)
    const key = add(parts, {
      appId: app_id,
      windowUuid: window_uuid,
      ...(view !== undefined && { view }),
      ...(was && { was: { ...was, rect: { x: was.x, y: was.y, ...frameOf(geometry) } } }),
    })
    changeWindow(parts, key, (one) => ({ ...one, z: geometry.z, version }))
  }
}
