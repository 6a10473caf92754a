import type { Hello } from '@svc/contract/wire'
import type { FloodGate } from './flood-gate.ts'

/** A window that listens for the hello of its document. */
export interface HelloListener {
  readonly iframe: HTMLIFrameElement
  /** Counts each message of the frame to the page. */
  readonly gate: FloodGate
  /** A document said hello and handed over its ports. */
  hello(callsPort: MessagePort, bundlePort: MessagePort): void
}

/**
 * Listens for hellos (docs/decisions/0018-handshake-by-ports.md). A document is known by the window that posted: ports
 * are taken only when `event.source` is the `contentWindow` of one of our iframes, so that no iframe can speak for
 * another. Listens until `over` aborts.
 */
export function listenForHellos(
  page: Pick<Window, 'addEventListener'>,
  over: AbortController,
  windows: () => Iterable<HelloListener>,
): void {
  const onMessage = (event: MessageEvent) => {
    const { source } = event
    if (source === null) return
    for (const greeted of windows()) {
      if (greeted.iframe.contentWindow !== source) continue
      // Counted before it is read: reading takes the message apart.
      if (!greeted.gate('posts')) return
      const said = event.data as Partial<Hello> | null | undefined
      if (said?.svc !== 'hello' || said.version !== 1) return
      const [callsPort, bundlePort] = event.ports
      if (callsPort && bundlePort) greeted.hello(callsPort, bundlePort)
    }
  }
  page.addEventListener('message', onMessage, over)
}
