import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { sets, startFront } from './testing/frame-troubles.ts'
import { isolatedApp, isolatedShows, isolating } from './testing/isolated-app.ts'
import { openPageAt, openRealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let real: Awaited<ReturnType<typeof openRealPage>>

beforeAll(async () => {
  browser = await sharedChromium()
  real = await openRealPage(browser, { isolated: isolatedApp })
})
afterAll(async () => {
  await real.close()
  await closePages(browser)
})

/** A page of the host behind a front that adds headers to it, as a proxy does. */
async function openBehind(headers: Readonly<Record<string, string>>) {
  const front = await startFront(real.url, sets(/^\/$/, headers))
  onTestFinished(front.close)
  const at = await openPageAt(browser, front.url)
  onTestFinished(() => at.context.close())
  return at
}

verifies.each('wall.bundle.embedder_policy')([['require-corp'], ['credentialless']])(
  'an app has all of its own in a page with Cross-Origin-Embedder-Policy: %s',
  async (policy) => {
    const at = await openBehind(isolating(policy))
    await at.mount('isolated')
    expect(await at.shown()).toEqual(isolatedShows)
    expect(await at.page.evaluate(() => crossOriginIsolated)).toBe(true)
    expect(await at.frame().evaluate('threads()')).toBe(null)
  },
)

verifies('wall.bundle.embedder_policy', 'an app has threads where its page allows it', async () => {
  const at = await openBehind(isolating('require-corp'))
  await at.page.evaluate(() => {
    globalThis.bridge = globalThis.bridgeApi.createBridge({ isolated: true })
  })
  await at.mount('isolated')
  await at.shown()
  expect(await at.frame().evaluate('threads()')).toBe(1)
})
