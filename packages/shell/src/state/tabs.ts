/** The tabs of this page in one browser: what one of them changed at the host the others read again. */
export interface Tabs {
  /** Something changed: a window was opened, an app installed. */
  tell(): void
  /** Hears that another tab changed something, and that this one came to the front. Returns how to stop. */
  hear(onNews: () => void): () => void
}

/** Opens the way to the other tabs of a page. */
export function openTabs(page: Document): Tabs {
  const channel = new BroadcastChannel(`svc.desk ${page.baseURI.split(/[?#]/)[0]}`)
  return {
    tell: () => channel.postMessage('changed'),
    hear(onNews) {
      const listening = new AbortController()
      channel.addEventListener('message', onNews, listening)
      // What another browser changed is read when somebody looks.
      page.addEventListener('visibilitychange', () => page.hidden || onNews(), listening)
      return () => listening.abort()
    },
  }
}
