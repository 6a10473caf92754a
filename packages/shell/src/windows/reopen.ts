import { readApps } from '../state/apps.ts'
import { changeWindow, type DeskParts, windowOf } from '../state/parts.ts'
import type { DeskWindow, WindowOrder } from '../state/state.ts'
import { close } from './close.ts'
import { remove } from './context.ts'
import { add } from './open.ts'

/** The windows that the host does not know any more. */
export const lostWindows = (windows: readonly DeskWindow[]): DeskWindow[] =>
  windows.filter(({ phase }) => phase === 'lost')

/**
 * Opens lost windows again where they were. A host that began again gives its apps new ids, so the app is found by its
 * slug; a window whose app is gone stays lost.
 */
export async function reopenLost(parts: DeskParts): Promise<void> {
  const apps = await readApps(parts)
  for (const window of lostWindows(parts.store.get().windows)) {
    const app = apps.find(({ slug }) => slug === window.app.slug)
    const view = parts.handles.get(window.key)?.viewMeta.name ?? window.wanted.view
    if (!app) continue
    drop(parts, window.key)
    again(parts, window, { appId: app.app_id, ...(view !== undefined && { view }) })
  }
}

/** Opens a window anew where it was. An app that asks to stay open keeps it. */
export async function renew(parts: DeskParts, key: string): Promise<void> {
  const window = windowOf(parts, key)
  const view = parts.handles.get(key)?.viewMeta.name
  await close(parts, key)
  if (!window || windowOf(parts, key)) return
  choose(parts, again(parts, window, { appId: window.wanted.appId, ...(view !== undefined && { view }) }))
}

/** Loads the app of a window anew; one that never showed is opened again in its place. */
export function reload(parts: DeskParts, key: string): void {
  const window = windowOf(parts, key)
  const handle = parts.handles.get(key)
  if (!window) return
  if (handle) {
    changeWindow(parts, key, (one) => ({ ...one, ended: false }))
    handle.reload()
    return
  }
  remove(parts, key)
  choose(parts, again(parts, window, window.wanted))
}

/** Opens a window where another was; returns its key. */
const again = (parts: DeskParts, { rect, over, minimised, maximised }: DeskWindow, wanted: WindowOrder) =>
  add(parts, { ...wanted, was: { rect, over, minimised, maximised } })

const choose = ({ store }: DeskParts, chosen: string) => store.set((state) => ({ ...state, chosen }))

/** Takes every lost window off the desktop. */
export function dropLost(parts: DeskParts): void {
  for (const { key } of lostWindows(parts.store.get().windows)) drop(parts, key)
}

function drop(parts: DeskParts, key: string): void {
  parts.handles.get(key)?.detach()
  remove(parts, key)
}
