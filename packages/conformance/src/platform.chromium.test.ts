import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { platformApp, platformRows } from './testing/platform.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage
let tried: Readonly<Record<string, unknown>>
beforeAll(async () => {
  browser = await sharedChromium()
  at = await openRealPage(browser, { platform: platformApp })
  await at.mountSilent('platform')
  tried = (await at.shown(30_000)) as typeof tried
}, 60_000)
afterAll(async () => {
  await at.close()
  await closePages(browser)
})

verifies.each('wall.bundle.platform')(Object.entries(platformRows))('an app has %s', (name, [, result]) => {
  expect(tried[name]).toEqual(result)
})
