// Alone: a fixed bound on the real clock, of a few seconds at most.

import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  // Sites are apart as in a browser with windows, and no process stands by that none of them uses.
  browser = await launchChromium(['--site-per-process', '--disable-features=SpareRendererForSitePerProcess'])
})
afterAll(() => browser.close())
afterEach(() => at.close())

const bundleOrigin = 'http://{app}.localhost:{port}'
const withSdk = (body: string) => `import { svc } from '@svc/sdk'; ${body}`
/** Answers the page's `ping` and never ends at its `loop`, nor at a dark theme. */
const app = withSdk(`addEventListener('beforeunload', () => {}); addEventListener('message', ({ data }) => {
  if (data === 'loop') for (;;);
  if (data === 'ping') parent.postMessage('pong', '*')
}); svc.on('context', ({ theme }) => { while (theme === 'dark'); }); svc.ready`)

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

/** The processes that show documents. */
async function renderers(): Promise<number[]> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

verifies('wall.frame.alone', 'an app in an endless loop holds up no other, open or opened anew', async () => {
  // All under one domain.
  const bundleOrigin = 'http://{app}.apps.localhost:{port}'
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
  'wall.frame.unresponsive',
  'an app that hung and was closed before anybody noticed opens again at once',
  async () => {
    at = await openRealPage(browser, { app }, { bundleOrigin })
    // The first window keeps the process of the site alive.
    await at.mount('app')
    await at.mount('app')
    await at.page.evaluate(async () => {
      // By the port of what is asked next, and so before it.
      globalThis.win.setContext({ theme: 'dark', locale: 'en', focused: true })
      await globalThis.win.close()
    })
    await at.mount('app')
    expect(await answerMs()).toBeLessThan(2_000)
  },
)

verifies(
  'wall.frame.unresponsive',
  'a page is told of a document whose process died, and can load it anew',
  async () => {
    at = await openRealPage(browser, { app, other: app }, { bundleOrigin })
    await at.mount('other')
    const others = await renderers()
    await at.mount('app')
    const own = (await renderers()).filter((id) => !others.includes(id))
    expect(own).toHaveLength(1)
    await at.page.evaluate(() => {
      globalThis.bridge.windows[0]?.on('responds', () => globalThis.noted.push('other'))
      globalThis.win.on('responds', (does) => globalThis.noted.push(does))
      globalThis.win.on('connected', () => globalThis.noted.push('connected'))
    })
    // Playwright gives up a page of which one process died. What it holds is there.
    const devtools = await at.context.newCDPSession(at.page)
    const noted = async () => {
      const said = await devtools.send('Runtime.evaluate', { expression: 'String(noted)' })
      return said.result.value as string
    }
    for (const id of own) process.kill(id, 'SIGKILL')
    await expect.poll(noted, { timeout: 30_000 }).toBe('false')
    await devtools.send('Runtime.evaluate', { expression: 'win.reload()' })
    await expect.poll(noted, { timeout: 30_000 }).toBe('false,connected,true')
  },
)

verifies(
  ['wall.bundle.apart', 'wall.iframe.opaque'],
  'each app has a site of its own, and still none',
  async () => {
    const look = `show([self.origin, location.host])`
    at = await openRealPage(browser, { one: look, two: look }, { bundleOrigin })
    const hosts: unknown[] = []
    const said: string[] = []
    at.page.on('console', (message) => said.push(message.text()))
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
    expect(said).toEqual([])
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
