// Alone: a fixed bound on the real clock, of a few seconds at most.

import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

const bundleOrigin = 'http://{app}.localhost:{port}'
const withSdk = (body: string) => `import { svc } from '@svc/sdk'; ${body}`
/** Answers the page's `ping` and never ends at its `loop`. */
const app = withSdk(`addEventListener('message', ({ data }) => {
  if (data === 'loop') for (;;);
  if (data === 'ping') parent.postMessage('pong', '*')
}); svc.ready`)

/** How long the window mounted last takes to answer, in ms; 2 000 where it does not. */
const answerMs = () =>
  at.page.evaluate(
    () =>
      new Promise<number>((done) => {
        const { contentWindow } = globalThis.win.iframe
        const begun = performance.now()
        setTimeout(done, 2_000, 2_000)
        addEventListener('message', ({ source }) => {
          if (source === contentWindow) done(performance.now() - begun)
        })
        contentWindow?.postMessage('ping', '*')
      }),
  )

verifies('wall.frame.alone', 'an app in an endless loop holds up no other, open or opened anew', async () => {
  at = await openRealPage(browser, { first: app, second: app, third: app, fourth: app }, { bundleOrigin })
  for (const name of ['first', 'second', 'third']) await at.mount(name)
  const alone = await answerMs()
  await at.page.evaluate(() => {
    for (const { iframe } of globalThis.bridge.windows.slice(0, 2))
      iframe.contentWindow?.postMessage('loop', '*')
  })
  // What the loops take of this machine's cores is allowed for: the page itself has to share them too.
  expect(await answerMs()).toBeLessThan(200 + 10 * alone)

  await at.page.evaluate(() => globalThis.bridge.windows[0]?.close(undefined, { force: true }))
  await at.mount('fourth')
  expect(await answerMs()).toBeLessThan(200 + 10 * alone)
})

verifies(
  'wall.frame.unresponsive',
  'a page is told of a document in an endless loop while others answer, and can start it anew or open another',
  async () => {
    at = await openRealPage(browser, { app, other: app }, { bundleOrigin })
    await at.mount('app')
    await at.page.evaluate(() => {
      globalThis.win.on('responds', (does) => globalThis.noted.push(does))
      globalThis.win.iframe.contentWindow?.postMessage('loop', '*')
    })
    await at.mount('other')
    expect(await at.notes(1)).toEqual([false])
    expect(await answerMs()).toBeLessThan(2_000)

    // While the frame that hangs is there, its process is the one of its site: another window gets another site.
    await at.mount('app')
    expect(await answerMs()).toBeLessThan(2_000)
    await at.page.evaluate(() => globalThis.bridge.windows[0]?.reload())
    expect(await at.notes(2)).toEqual([false, true])
  },
)

verifies(
  ['wall.bundle.apart', 'wall.iframe.opaque'],
  'each app has a site of its own, and still none',
  async () => {
    const look = `show([self.origin, location.host])`
    at = await openRealPage(browser, { one: look, two: look }, { bundleOrigin })
    const hosts: unknown[] = []
    for (const name of ['one', 'two', 'one']) {
      await at.mountSilent(name)
      const [origin, host] = (await at.shown()) as [string, string]
      expect(origin).toBe('null')
      hosts.push(host)
    }
    const { port } = new URL(at.url)
    expect(hosts).toEqual(Array(3).fill(expect.stringMatching(`^[0-9a-f]{32}\\.localhost:${port}$`)))
    expect(hosts[0]).not.toBe(hosts[1])
    expect(hosts[0]).toBe(hosts[2])
  },
)

describe('a frame that leaves its entry', () => {
  verifies(
    'wall.bundle.window',
    'stays where the manifest says that the bundle has several pages',
    async () => {
      const script = withSdk(`const page = document.title;
      svc.storage.list({}).then(() => show(page)); globalThis.go = (url) => { location.href = url }`)
      const files = { 'more.html': '<!doctype html><title>more</title><script src="app.js"></script>' }
      at = await openRealPage(
        browser,
        { pages: { script, files, bundle: { multi_page: true } } },
        { bundleOrigin },
      )
      await at.mount('pages')
      expect(await at.shown()).toBe('pages')
      await at.frame().evaluate(`go('more.html')`)
      await expect
        .poll(() =>
          at
            .frame()
            .title()
            .catch(() => null),
        )
        .toBe('more')
      expect(await at.shown()).toBe('more')
    },
  )
})
