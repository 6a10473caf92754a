import { changeWindow, type DeskParts, windowOf } from '../state/parts.ts'
import { newsOf, originOf, succeeded } from '../state/tell.ts'
import { remove } from './context.ts'

/** How long a second press of × counts as "close it anyway". */
export const FORCE_MS = 5_000

/**
 * Closes a window: its bundle is asked, the host is notified. A bundle that wishes to stay is not asked again: with
 * `force`, and on a second press within `FORCE_MS`, its window closes. A lost one only leaves the desktop.
 */
export async function close(parts: DeskParts, key: string, { force = false } = {}): Promise<void> {
  const window = windowOf(parts, key)
  if (!window || window.phase === 'closing') return
  const handle = parts.handles.get(key)
  if (!handle || window.phase === 'lost') {
    handle?.detach()
    remove(parts, key)
    return
  }
  const tried = `close ${key}`
  changeWindow(parts, key, (one) => ({ ...one, phase: 'closing' }))
  try {
    const insists = force || parts.now() < window.forceUntil
    if (await handle.close('closed by the user', { force: insists })) {
      succeeded(parts.store, tried)
      return
    }
    const forceUntil = parts.now() + FORCE_MS
    changeWindow(parts, key, (one) => ({ ...one, forceUntil }))
    parts.say(`${window.title} asks to stay open; close it again to close it anyway`)
    parts.tell({
      code: 'stays_open',
      sentence: `${window.title} asks to stay open`,
      hint: 'It may have unsaved work. Press × again within 5 seconds to close it anyway.',
      source: window.title,
      origin: originOf(window),
      details: '',
      offersClose: true,
      tried,
    })
  } catch (error) {
    parts.tell({ ...newsOf(error, window.title, originOf(window)), tried })
  }
  changeWindow(parts, key, (one) => (one.phase === 'closing' ? { ...one, phase: 'open' } : one))
}

/** Ends the window of an app that does not respond, and offers to open it again. */
export async function end(parts: DeskParts, key: string): Promise<void> {
  const window = windowOf(parts, key)
  if (!window) return
  const { appId } = window.wanted
  const view = parts.handles.get(key)?.viewMeta.name
  await close(parts, key, { force: true })
  if (windowOf(parts, key)) return
  parts.tell({
    code: 'ended',
    sentence: `You ended ${window.app.name}, which did not respond`,
    hint: 'What it had not saved is lost.',
    source: window.title,
    origin: originOf(window),
    details: '',
    offersOpen: { appId, view },
  })
}
