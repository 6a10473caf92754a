/** What the bridge uses of the window of its page. */
export type PageWindow = Pick<Window, 'addEventListener' | 'document'>

/** What a page and its network go through. */
interface PageNews {
  /** The page was frozen, or its network went: its connections may have broken, and nothing says so. */
  readonly doubt: () => void
  /** The page is in sight again. */
  readonly shown: () => void
  /** The page goes, and will not be shown again as it is. */
  readonly gone: () => void
}

/** Tells what happens to a page until `over` aborts. */
export function followPage(view: PageWindow, over: AbortController, { doubt, shown, gone }: PageNews): void {
  const page = view.document
  page.addEventListener('resume', doubt, over)
  for (const news of ['offline', 'online']) view.addEventListener(news, doubt, over)
  page.addEventListener('visibilitychange', () => page.hidden || shown(), over)
  view.addEventListener('pagehide', (event) => (event as PageTransitionEvent).persisted || gone(), over)
}
