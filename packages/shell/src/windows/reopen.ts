import { readApps } from '../state/apps.ts'
import type { DeskParts } from '../state/parts.ts'
import type { DeskWindow } from '../state/state.ts'
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
    const { rect, over, minimised, maximised } = window
    const app = apps.find(({ slug }) => slug === window.app.slug)
    const view = parts.handles.get(window.key)?.viewMeta.name ?? window.wanted.view
    if (!app) continue
    drop(parts, window.key)
    add(parts, {
      appId: app.app_id,
      was: { rect, over, minimised, maximised },
      ...(view !== undefined && { view }),
    })
  }
}

/** Takes every lost window off the desktop. */
export function dropLost(parts: DeskParts): void {
  for (const { key } of lostWindows(parts.store.get().windows)) drop(parts, key)
}

function drop(parts: DeskParts, key: string): void {
  parts.handles.get(key)?.detach()
  remove(parts, key)
}
