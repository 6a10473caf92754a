import { isFront, nextZ } from '../geometry/z-order.ts'
import { changeWindow, type DeskParts, windowOf } from '../state/parts.ts'
import { contextAll } from './context.ts'

/** Bundles bring a window to the front at most once in this time; a second time waits. */
const RAISE_MS = 1_000

/** Brings a window to the front, out of the task bar too, and notifies the host, so that a reload finds it there. */
export function raise(parts: DeskParts, key: string): void {
  if (!windowOf(parts, key)) return
  const { chosen, sheet } = parts.store.get()
  if (chosen !== key || sheet !== null) parts.store.set((state) => ({ ...state, chosen: key, sheet: null }))
  lift(parts, key)
}

/** Brings a window to the front as `raise` does, without the user having chosen it. */
export function lift(parts: DeskParts, key: string): void {
  const window = windowOf(parts, key)
  const { windows } = parts.store.get()
  if (!window || isFront(windows, key)) return
  const z = window.z === nextZ(windows) - 1 ? window.z : nextZ(windows)
  changeWindow(parts, key, (one) => ({ ...one, z, minimised: false }))
  contextAll(parts)
  if (window.minimised) keepPlaces(parts)
  if (!parts.handles.has(key)) parts.raised.opening.add(key)
  else notifyRaised(parts, key)
}

/** Notifies the host that a window was brought to the front. */
export function notifyRaised({ raised, handles }: DeskParts, key: string): void {
  raised.untold.delete(key)
  raised.untold.add(key)
  if (raised.isTelling) return
  raised.isTelling = true
  void tellInOrder()

  /** One after the other: of two at once the host would take an order of its own. */
  async function tellInOrder(): Promise<void> {
    for (const next of raised.untold) {
      raised.untold.delete(next)
      // A host that does not answer is shown as such; the order of windows is not worth a notice.
      await handles
        .get(next)
        ?.focus()
        .catch(() => undefined)
    }
    raised.isTelling = false
  }
}

/** Brings to the front by `bring` a window that a bundle wants there, unless it is not `wanted` any more after a wait. */
export function bringForBundle(
  parts: DeskParts,
  key: string,
  { wanted, bring }: { wanted(): boolean; bring(): void },
): void {
  const last = parts.raised.at.get(key)
  const wait = last === undefined ? 0 : last + RAISE_MS - parts.now()
  if (!windowOf(parts, key)) return
  if (wait > 0) {
    parts.later(() => wanted() && bringForBundle(parts, key, { wanted, bring }), wait)
    return
  }
  parts.raised.at.set(key, parts.now())
  bring()
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
