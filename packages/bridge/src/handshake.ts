import type { Hello } from '@svc/contract/wire'

/** A window that listens for the hello of its document. */
export interface Greeted {
  readonly iframe: HTMLIFrameElement
  /** A document said hello and handed over its ports. */
  hello(callsPort: MessagePort, facePort: MessagePort): void
}

const isHello = (data: Partial<Hello> | null | undefined): boolean =>
  data?.svc === 'hello' && data.version === 1

/**
 * Listens for hellos (design §8). A document is known by the window that posted: ports are taken only when
 * `event.source` is the `contentWindow` of one of our iframes, so that no iframe can speak for another.
 * Answers how to stop listening.
 */
export function listenForHellos(page: Window, windows: () => Iterable<Greeted>): () => void {
  const onMessage = ({ source, data, ports }: MessageEvent) => {
    if (source === null || !isHello(data)) return
    for (const greeted of windows()) {
      if (greeted.iframe.contentWindow !== source) continue
      const [callsPort, facePort] = ports
      if (callsPort && facePort) greeted.hello(callsPort, facePort)
    }
  }
  page.addEventListener('message', onMessage)
  return () => page.removeEventListener('message', onMessage)
}
