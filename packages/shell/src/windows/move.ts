import { clampSize, isInside, keepReachable } from '../geometry/clamp.ts'
import { documentOf, frameOf, type Rect, type Size } from '../geometry/rect.ts'
import { changeWindow, type DeskParts, windowOf } from '../state/parts.ts'
import { keepPlaces } from './raise.ts'

/** Puts a window's frame somewhere while it is being moved or resized; its title bar is kept in reach. */
export function setRect(parts: DeskParts, key: string, rect: Rect): void {
  const { area } = parts.store.get()
  changeWindow(parts, key, (one) => {
    const put = keepReachable({ ...rect, ...clampSize(rect, one.bounds) }, area)
    return { ...one, rect: put, over: !isInside(put, area) }
  })
}

/** A resize is over: the host is notified the size of the document, and has the last word. */
export async function pulled(parts: DeskParts, key: string): Promise<void> {
  keepPlaces(parts)
  const window = windowOf(parts, key)
  const handle = parts.handles.get(key)
  if (!window || !handle) return
  const wanted = documentOf(window.rect)
  if (wanted.w === handle.geometry.w && wanted.h === handle.geometry.h) return
  // A host that does not get it does not keep it: the size then lasts until the page is loaded again.
  await handle.resize(wanted).catch(() => undefined)
}

/** The host gave a window's document a size, because its bundle or the user asked for one. */
export function resized(parts: DeskParts, key: string, size: Size): void {
  changeWindow(parts, key, (one) => {
    const frame = clampSize(frameOf(size), one.bounds)
    return frame.w === one.rect.w && frame.h === one.rect.h
      ? one
      : { ...one, rect: { ...one.rect, ...frame } }
  })
}

/** The desktop has another size. */
export function setArea({ store }: DeskParts, area: Size): void {
  store.set((state) =>
    area.w <= 0 || area.h <= 0 || (area.w === state.area.w && area.h === state.area.h)
      ? state
      : { ...state, area },
  )
}
