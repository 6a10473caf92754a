import type { BundleFace, HostContext } from '@svc/contract/wire'
import { expose } from 'comlink'

/** Asked before the user closes the window; `false` keeps it open. */
export type BeforeClose = (reason: string | null) => unknown

/** What the page may call in this document. */
export interface Face {
  readonly context: HostContext | undefined
  /** Adds a handler. Returns how to remove it. */
  onBeforeClose(handler: BeforeClose): () => void
  /** Offers the face on a port. */
  offer(port: MessagePort): void
}

/** Makes the document's face to its page (contract `/wire`, `BundleFace`). */
export function createFace(onContext: (context: HostContext) => void): Face {
  const handlers = new Set<BeforeClose>()
  let context: HostContext | undefined

  const face: BundleFace = {
    contextChanged(news) {
      context = news
      onContext(news)
    },
    async beforeClose(reason) {
      const answers = await Promise.all([...handlers].map(async (handler) => handler(reason)))
      return !answers.includes(false)
    },
  }

  return {
    get context() {
      return context
    },
    onBeforeClose(handler) {
      handlers.add(handler)
      return () => {
        handlers.delete(handler)
      }
    },
    offer: (port) => expose(face, port),
  }
}
