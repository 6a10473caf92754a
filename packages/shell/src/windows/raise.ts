import { isFront, nextZ } from '../geometry/z-order.ts'
import { changeWindow, type DeskParts, windowOf } from '../state/parts.ts'
import { contextAll } from './context.ts'

/** Brings a window to the front, out of the task bar too, and notifies the host, so that a reload finds it there. */
export function raise(parts: DeskParts, key: string): void {
  const window = windowOf(parts, key)
  if (!window) return
  const { windows, chosen, sheet } = parts.store.get()
  if (chosen !== key || sheet !== null) parts.store.set((state) => ({ ...state, chosen: key, sheet: null }))
  if (isFront(windows, key)) return
  const z = window.z === nextZ(windows) - 1 ? window.z : nextZ(windows)
  changeWindow(parts, key, (one) => ({ ...one, z, minimised: false }))
  contextAll(parts)
  if (window.minimised) keepPlaces(parts)
  // A host that does not answer is shown as such; the order of windows is not worth a notice of its own.
  parts.handles
    .get(key)
    ?.focus()
    .catch(() => undefined)
}

/** Puts a window into the task bar. */
export function minimise(parts: DeskParts, key: string): void {
  const window = windowOf(parts, key)
  if (!window || window.minimised) return
  changeWindow(parts, key, (one) => ({ ...one, minimised: true }))
  contextAll(parts)
  keepPlaces(parts)
  parts.say(`${window.title} minimised`)
}

/** Makes a window as large as its view and the desktop allow, or puts it back where it was. */
export function toggleMaximised(parts: DeskParts, key: string): void {
  raise(parts, key)
  changeWindow(parts, key, (one) => ({ ...one, maximised: !one.maximised }))
  keepPlaces(parts)
  const window = windowOf(parts, key)
  if (window) parts.say(`${window.title} ${window.maximised ? 'maximised' : 'restored'}`)
}

/** Writes down where the windows are. */
export function keepPlaces({ store, memory }: Pick<DeskParts, 'store' | 'memory'>): void {
  const places = store
    .get()
    .windows.flatMap(({ uuid, rect: { x, y }, over, minimised, maximised }) =>
      uuid === null ? [] : [[uuid, { x, y, over, minimised, maximised }] as const],
    )
  memory.keepPlaces(new Map(places))
}
