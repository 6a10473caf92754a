import { clampSize, isInside, keepReachable } from '../geometry/clamp.ts'
import { documentOf, frameOf, isSameSize, type Rect, type Size } from '../geometry/rect.ts'
import { changeWindow, type DeskParts, windowOf } from '../state/parts.ts'
import { keepPlaces } from './raise.ts'

/** Puts a window's frame somewhere while it is being moved or resized; its title bar is kept in reach. */
export function setRect(parts: DeskParts, key: string, rect: Rect): void {
  const { area } = parts.store.get()
  changeWindow(parts, key, (one) => {
    const put = keepReachable({ ...rect, ...clampSize(rect, one.bounds) }, area)
    if (!isSameSize(put, one.rect)) parts.sizes.chosen.add(key)
    return { ...one, rect: put, over: !isInside(put, area) }
  })
}

/** A move or a resize is over: the host is notified of a new size of the document, and has the last word. */
export async function placed(parts: DeskParts, key: string): Promise<void> {
  keepPlaces(parts)
  const { telling } = parts.sizes
  // One after the other: of two at once the host would take an order of its own.
  const turn = (telling.get(key) ?? Promise.resolve()).then(() => notifySize(parts, key))
  telling.set(key, turn)
  await turn
  if (telling.get(key) === turn) telling.delete(key)
}

async function notifySize(parts: DeskParts, key: string): Promise<void> {
  const window = windowOf(parts, key)
  const handle = parts.handles.get(key)
  if (!window || !handle) return
  const wanted = documentOf(window.rect)
  const { chosen, told } = parts.sizes
  chosen.delete(key)
  if (isSameSize(wanted, handle.geometry)) return
  told.set(key, [...(told.get(key) ?? []), wanted])
  // A host that does not get it does not keep it: the size then lasts until the page is loaded again.
  await handle
    .resize(wanted)
    .catch(() => told.set(key, told.get(key)?.filter((size) => size !== wanted) ?? []))
}

/**
 * The host gave a window's document a size, because its bundle or the user asked for one. Where the page told it, and the user has
 * chosen another since then, the user's stays.
 */
export function resized(parts: DeskParts, key: string, size: Size): void {
  const { chosen, told } = parts.sizes
  const sizes = told.get(key) ?? []
  const at = sizes.findIndex((one) => isSameSize(one, size))
  // After a size of the bundle, those that are on their way stand in the order of the host.
  told.set(key, at < 0 ? [] : sizes.slice(at + 1))
  if (at >= 0 && (chosen.has(key) || at < sizes.length - 1)) return
  chosen.delete(key)
  changeWindow(parts, key, (one) => {
    const frame = clampSize(frameOf(size), one.bounds)
    return isSameSize(frame, one.rect) ? one : { ...one, rect: { ...one.rect, ...frame } }
  })
}

/** The desktop has another size. */
export function setArea({ store }: DeskParts, area: Size): void {
  store.set((state) =>
    area.w <= 0 || area.h <= 0 || isSameSize(area, state.area) ? state : { ...state, area },
  )
}
