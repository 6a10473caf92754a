import type { Download, Hello, Key, Link, Place, Stray } from '@svc/contract/wire'
import type { FloodGate } from './flood-gate.ts'

/** A window that listens for the hello of its document. */
export interface HelloListener {
  readonly iframe: HTMLIFrameElement
  /** Counts each message of the frame to the page. */
  readonly gate: FloodGate
  /** A document said hello and handed over its ports. */
  hello(callsPort: MessagePort, bundlePort: MessagePort): void
  /** The document of another window came into the frame, and stopped. */
  stray(): void
  /** A link in the document leads to another site. */
  link(url: unknown): void
  /** The document offers a file; a port hears what came of it. */
  file(file: Partial<Download>, port: MessagePort | undefined): void
  /** A key was pressed in the document that no script of it took. */
  key(name: string): void
  /** A document begins; the port hears when it goes. */
  place(port: MessagePort): void
}

/**
 * Listens for hellos (docs/decisions/0018-handshake-by-ports.md). A document is known by the window that posted: ports
 * are taken only when `event.source` is the `contentWindow` of one of our iframes, so that no iframe can speak for
 * another. Returns how to listen on the window of a page, of a frame or a popup of it, until `over` aborts; twice is harmless.
 */
export function helloListener(
  over: AbortController,
  windows: () => Iterable<HelloListener>,
): (view: Pick<Window, 'addEventListener'>) => void {
  const onMessage = (event: MessageEvent) => {
    const { source } = event
    if (source === null) return
    for (const greeted of windows()) {
      if (greeted.iframe.contentWindow !== source) continue
      // Counted before it is read: reading takes the message apart.
      if (!greeted.gate('posts')) return
      const said = event.data as Partial<Hello> | Stray | Link | Download | Key | Place | null | undefined
      if (said?.svc === 'stray') return greeted.stray()
      if (said?.svc === 'link') return greeted.link(said.url)
      if (said?.svc === 'download') return greeted.file(said, event.ports[0])
      if (said?.svc === 'key') return greeted.key(said.key)
      const [callsPort, bundlePort] = event.ports
      if (said?.svc === 'place' && callsPort) return greeted.place(callsPort)
      if (said?.svc !== 'hello' || said.version !== 1) return
      if (callsPort && bundlePort) greeted.hello(callsPort, bundlePort)
    }
  }
  return (view) => view.addEventListener('message', onMessage, over)
}
