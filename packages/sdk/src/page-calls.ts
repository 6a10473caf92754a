import type { HostContext, PageCalls } from '@svc/contract/wire'
import { expose } from 'comlink'

/** Asked before the user closes the window; `false` keeps it open. */
export type BeforeClose = (reason: string | null) => unknown

/** What the page may call in this document. */
export interface PageCallHandlers {
  readonly context: HostContext | undefined
  /** Adds a handler. Returns how to remove it. */
  onBeforeClose(handler: BeforeClose): () => void
  /** Exposes them on a port. */
  offer(port: MessagePort): void
}

/** Makes what the page calls in this document (contract `/wire`, `PageCalls`). */
export function createPageCallHandlers(onContext: (context: HostContext) => void): PageCallHandlers {
  const handlers = new Set<BeforeClose>()
  let context: HostContext | undefined

  const pageCalls: PageCalls = {
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
    offer: (port) => expose(pageCalls, port),
  }
}
