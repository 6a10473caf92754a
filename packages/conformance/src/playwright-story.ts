import type { Browser, Page } from 'playwright-core'
import type { OpenPage, SentBody } from './story-page.ts'

/** Opens the page of a story in a browser that Playwright drives; closing it closes the browser. */
export async function openStoryPage(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
  waitMs: number,
): Promise<OpenPage> {
  const page = await browser.newPage({ viewport })
  page.setDefaultTimeout(waitMs)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (line) => {
    // A refused call is also a failed request in the browser's eyes; the story itself judges those.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      complaints.push(line.text())
  })
  return {
    page,
    complaints,
    sent: watchBodies(page),
    async changeScripts(url, from, to) {
      await page.route('**/bundles/**/*.js', async (route) => {
        // Node does not look up the origin of the app; a script is the same at that of the page.
        const { pathname } = new URL(route.request().url())
        const response = await route.fetch({ url: url + pathname })
        await route.fulfill({ response, body: (await response.text()).replaceAll(from, to) })
      })
    },
    async texts() {
      // biome-ignore lint/performance/useDomNodeTextContent: what is hidden must stay out
      const texts = page.frames().map((frame) => frame.locator('body').innerText({ timeout: 1_000 }))
      const read = await Promise.allSettled(texts)
      return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    },
    close: () => browser.close(),
  }
}

/** Notes every body of calls that leaves the page, from now on. */
function watchBodies(page: Page): SentBody[] {
  const sent: SentBody[] = []
  const note = (url: string, body: string, byPage: boolean) => {
    if (/\/runtime\/(rpc|calls)$/.test(new URL(url).pathname)) sent.push({ body, byPage })
  }
  page.on('request', (request) => {
    const body = request.postData()
    if (body !== null) note(request.url(), body, request.frame() === page.mainFrame())
  })
  // The host takes no socket from a sandboxed document.
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => note(socket.url(), String(payload), true)),
  )
  return sent
}
