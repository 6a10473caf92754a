import { FRAME_AGAIN_MS } from '@svc/contract/browser'
import type { Clock } from './clock.ts'

/**
 * Loads the entry again where a document went whose app wrote addresses of its own, and none of the app came in its place
 * (docs/decisions/0194-reloads-keep-their-place.md): `again` is its address. Returns what takes in the port of a document
 * that begins. Ends with the window (`left`).
 */
export function followPlace(iframe: HTMLIFrameElement, clock: Clock, left: AbortSignal, again: () => string) {
  /** The port of the document that is here, until the entry is asked for again. */
  let here: MessagePort | undefined
  /** Whether an address of the frame's history may lead to no document. */
  let strays = false
  const { style } = iframe
  left.addEventListener('abort', () => here?.close())
  return (port: MessagePort): void => {
    here = port
    style.opacity = ''
    port.onmessage = ({ data }) => {
      // It says one thing, that it goes; whoever says more is not heard.
      port.close()
      strays ||= data === true
      if (here !== port || !strays) return
      // What comes may be an error, of the host or of the browser.
      style.opacity = '0'
      clock.setTimeout(() => {
        if (here !== port) return
        here = undefined
        // In the place of what came, so that no step back leads there. A window that left has none.
        iframe.contentWindow?.location.replace(again())
      }, FRAME_AGAIN_MS)
    }
  }
}
