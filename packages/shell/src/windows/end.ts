import { type DeskParts, windowOf } from '../state/parts.ts'
import { originOf } from '../state/tell.ts'
import { close } from './close.ts'

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
