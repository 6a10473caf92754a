import { isFront } from '../geometry/z-order.ts'
import type { DeskParts } from '../state/parts.ts'
import { themeStyles } from './theme-styles.ts'

/** Tells every bundle the theme and look of the page, the language, and whether its window is in front. */
export function contextAll({ store, handles, locale }: DeskParts): void {
  const { windows, theme } = store.get()
  const styles = themeStyles()
  for (const [key, handle] of handles)
    handle.setContext({ theme, locale, focused: isFront(windows, key), styles })
}

/** Takes a window off the desktop. */
export function remove(parts: DeskParts, key: string): void {
  parts.handles.delete(key)
  parts.raised.at.delete(key)
  parts.raised.opening.delete(key)
  parts.sizes.chosen.delete(key)
  parts.sizes.told.delete(key)
  parts.store.set((state) => ({ ...state, windows: state.windows.filter((one) => one.key !== key) }))
  contextAll(parts)
}
