import { isFront } from '../geometry/z-order.ts'
import type { DeskParts } from '../state/parts.ts'

/** Tells every bundle the theme, the language, and whether its window is in front. */
export function contextAll({ store, handles, locale }: DeskParts): void {
  const { windows, theme } = store.get()
  for (const [key, handle] of handles) handle.setContext({ theme, locale, focused: isFront(windows, key) })
}
