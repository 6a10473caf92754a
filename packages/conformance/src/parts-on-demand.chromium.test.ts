import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { bundleParts } from './bundle.ts'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let files: Readonly<Record<string, string>>
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
  const contents = `export * from '@svc/bridge'`
  const { first, later } = await bundleParts({ contents, resolveDir: import.meta.dirname })
  files = { ...first, ...later }
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

/** A part that does not come, or not before `go`. */
interface Held {
  readonly part: RegExp
  readonly go?: Promise<void>
}

/** A page whose bridge has its parts in files of their own. */
async function open({ part, go }: Held): Promise<Page> {
  at = await openRealPage(browser, {
    app: `import { svc } from '@svc/sdk'; svc.ready; globalThis.rename = (title) => svc.window.set_title({ title })`,
  })
  await at.page.route('**/parts/*.js', async (route) => {
    const name = new URL(route.request().url()).pathname.slice('/parts/'.length)
    if (part.test(name) && !go) return await route.abort()
    if (part.test(name)) await go
    await route.fulfill({ contentType: 'text/javascript', body: files[name] ?? '' })
  })
  await at.page.evaluate(`(async () => {
    bridge.dispose()
    bridgeApi = await import('/parts/app.js')
    bridge = bridgeApi.createBridge({ onError() {} })
  })()`)
  return at.page
}

const mounted = (page: Page) =>
  page.evaluate(async () => {
    const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
    const mount = { into: document.body, appId: installs[0].app_id, until: 'connected' } as const
    globalThis.win = await globalThis.bridge.mountWindow(mount)
  })

verifies('bridge.parts', 'opens one socket, whatever comes while its part is on its way', async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>()
  const page = await open({ part: /^call-socket/, go })
  const sockets: string[] = []
  page.on('websocket', (socket) => void sockets.push(socket.url()))
  await mounted(page)
  await mounted(page)
  const opened = page.waitForEvent('websocket')
  resolve()
  await opened
  await at.frame().evaluate(`rename('later')`)
  await expect.poll(() => page.evaluate(() => globalThis.win.title)).toBe('later')
  expect(sockets).toHaveLength(1)
})

verifies('bridge.parts', 'opens no socket after it was disposed', async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>()
  const page = await open({ part: /^call-socket/, go })
  const sockets: string[] = []
  page.on('websocket', (socket) => void sockets.push(socket.url()))
  const asked = page.waitForRequest(/call-socket/)
  await mounted(page)
  await asked
  await page.evaluate(() => globalThis.bridge.dispose())
  const came = page.waitForResponse(/call-socket/)
  resolve()
  await (await came).finished()
  // What is loaded runs before a module that is asked for after it.
  await page.evaluate(`import('/parts/${partNamed('call-socket')}').then(() => undefined)`)
  expect(sockets).toEqual([])
})

const partNamed = (start: string) => Object.keys(files).find((name) => name.startsWith(start)) ?? ''

verifies('bridge.parts', 'goes by POST where the part of the socket does not come', async () => {
  const page = await open({ part: /^call-socket/ })
  await mounted(page)
  await at.frame().evaluate(`rename('posted')`)
  await expect.poll(() => page.evaluate(() => globalThis.win.title)).toBe('posted')
})

verifies('bridge.parts', 'says what it cannot do where another part does not come', async () => {
  const page = await open({ part: /^(wishes|diagnose)/ })
  await mounted(page)
  const code = page.evaluate(() => globalThis.win.focus().catch((error) => error.code))
  expect(await code).toBe('host_unreachable')
  await page.route(/bundles.*index\.html/, (route) => route.abort())
  const reason = await page.evaluate(() =>
    globalThis.bridge
      .mountWindow({ into: document.body, appId: globalThis.win.appId, timeoutMs: 10_000 })
      .catch((error) => error.details.reason),
  )
  expect(reason).toBe('timeout')
})
