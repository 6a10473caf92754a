import { BridgeError } from '@svc/bridge'
import { visibleTitle } from '@svc/contract/visible-text'
import { clampSize, fitSize } from '../geometry/clamp.ts'
import { place } from '../geometry/place.ts'
import { boundsOf, frameOf, measures, type Size } from '../geometry/rect.ts'
import { isFront, nextZ } from '../geometry/z-order.ts'
import { appsOf, readApps } from '../state/apps.ts'
import { changeWindow, type DeskParts, windowOf } from '../state/parts.ts'
import type { App, DeskWindow, WindowOrder } from '../state/state.ts'
import { newsOf, originOf, succeeded } from '../state/tell.ts'
import { contextAll, remove } from './context.ts'
import { followWindow } from './follow-window.ts'
import { placed } from './move.ts'
import { notifyRaised } from './raise.ts'

/** A view of the usual size, until the host says which one it is. */
const unknownBounds = boundsOf({ min_w: 120, min_h: 120, max_w: 10_000, max_h: 10_000 })
const unknownSize = frameOf({ w: 640, h: 480 })

/** Puts a window on the desktop; the host is asked once its body is there (`fill`). Returns its key. */
export function add(parts: DeskParts, wanted: WindowOrder): string {
  const { store } = parts
  const key = parts.newKey()
  const { windows } = store.get()
  const app = appsOf(parts).find(({ app_id }) => app_id === wanted.appId)
  const window: DeskWindow = {
    key,
    uuid: wanted.windowUuid ?? null,
    wanted,
    app: { slug: app?.slug ?? wanted.appId, name: app?.name ?? 'App' },
    title: titleOf(app, wanted.view),
    ...(wanted.was ?? {
      rect: { x: 0, y: 0, ...unknownSize },
      over: false,
      minimised: false,
      maximised: false,
    }),
    bounds: unknownBounds,
    z: nextZ(windows),
    phase: 'opening',
    connected: false,
    responds: true,
    ended: false,
    forceUntil: 0,
    version: null,
  }
  store.set((state) => ({ ...state, windows: [...state.windows, window] }))
  return key
}

/**
 * Fills the body of a window, once: a body that has its iframe is never filled again, because taking an iframe to
 * another place would load it again.
 */
export async function fill(parts: DeskParts, key: string, into: Element): Promise<void> {
  const window = windowOf(parts, key)
  if (!window || parts.handles.has(key)) return
  const { appId, view, windowUuid } = window.wanted
  const tried = `open ${appId} ${view}`
  try {
    const handle = windowUuid
      ? await parts.bridge.attachWindow({ into, windowUuid })
      : await parts.bridge.mountWindow({ into, appId, keep: true, ...(view !== undefined && { view }) })
    if (!windowOf(parts, key)) {
      // Closed while the host was opening it.
      await handle.close('closed by the user').catch(() => handle.detach())
      return
    }
    parts.handles.set(key, handle)
    followWindow(parts, key, handle)
    const bounds = boundsOf(handle.viewMeta)
    const { area, windows, small } = parts.store.get()
    const others = windows.filter((one) => one.key !== key && one.phase !== 'opening').map(({ rect }) => rect)
    const { was, openerKey } = window.wanted
    const opener = windows.find((one) => one.key === openerKey)?.rect
    const put = was
      ? { ...was.rect, ...clampSize(was.rect, bounds) }
      : place(fitSize(frameOf(handle.geometry), bounds, within(area)), bounds, area, others, opener)
    // A small screen fills itself with the window, which keeps its size for a larger one.
    const rect = small && !was ? { ...put, ...frameOf(handle.geometry) } : put
    const isRaised = parts.raised.opening.delete(key)
    changeWindow(parts, key, (one) => ({
      ...one,
      uuid: handle.windowUuid,
      title: visibleTitle(handle.title) || one.app.name,
      bounds,
      rect,
      // What was open before is placed as the host has it; what somebody asked for or raised now comes to the front.
      z: windowUuid && openerKey === undefined && !isRaised ? handle.geometry.z : one.z,
      phase: 'open',
      connected: handle.connected,
    }))
    contextAll(parts)
    if (isRaised && isFront(parts.store.get().windows, key)) notifyRaised(parts, key)
    // The size that it has here is the one that the next load of the page finds at the host.
    void placed(parts, key)
    succeeded(parts.store, tried)
    if (windowUuid) return
    parts.tabs.tell()
    parts.say(`${visibleTitle(handle.title)} opened`)
    const apps = await readApps(parts).catch(() => [])
    const version = apps.find(({ app_id }) => app_id === appId)?.version ?? null
    changeWindow(parts, key, (one) => ({ ...one, version }))
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'load_failed') {
      changeWindow(parts, key, (one) => ({ ...one, phase: 'failed' }))
      parts.say(`${window.app.name} could not be loaded`)
      return
    }
    remove(parts, key)
    if (!isTwin(parts, window, error)) parts.tell({ ...newsOf(error, window.title, originOf(window)), tried })
  }
}

/**
 * Whether a window failed only because the page has it already: while it was being opened, the list of open
 * windows named it too. One of the two stays.
 */
const isTwin = ({ store }: DeskParts, { wanted, key }: DeskWindow, error: unknown): boolean =>
  error instanceof BridgeError &&
  error.code === 'conflict' &&
  // What the host refuses comes with the status of its answer; this one is the bridge's own.
  !('http_status' in error.details) &&
  store.get().windows.some((one) => one.key !== key && one.wanted.appId === wanted.appId)

/** The room of the desktop without the margin around a new window. */
const within = ({ w, h }: Size): Size => ({ w: w - 2 * measures.MARGIN, h: h - 2 * measures.MARGIN })

function titleOf(app: App | undefined, view: string | undefined): string {
  if (!app) return 'App'
  const shown =
    app.views.find((one) => (view === undefined ? one.default : one.name === view)) ?? app.views[0]
  return shown?.title ?? app.name
}
