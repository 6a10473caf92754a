import type { HostContext, PageCall, PageCallAnswer, PageCalls } from '@svc/contract/wire'

/** Asked before the user closes the window; `false` keeps it open. */
export type BeforeClose = (reason: string | null) => unknown

/** What the page may call in this document. */
export interface PageCallHandlers {
  readonly context: HostContext | undefined
  /** Adds a handler. Returns how to remove it. */
  onBeforeClose(handler: BeforeClose): () => void
  /** Answers the calls of a port: each once, also where its handler throws or has none. */
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

  async function answer(call: PageCall): Promise<unknown> {
    try {
      const [name] = call.path
      const [{ value }] = call.argumentList
      return await pageCalls[name as keyof PageCalls]?.(value as never)
    } catch {
      // A handler that fails says nothing against closing.
      return undefined
    }
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
    offer(port) {
      port.onmessage = async ({ data }: MessageEvent<PageCall>) => {
        const answered: PageCallAnswer = { id: data.id, type: 'RAW', value: await answer(data) }
        port.postMessage(answered)
      }
    },
  }
}
