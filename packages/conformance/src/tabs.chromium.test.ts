import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, openTab, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

const TABS = 12
/** Twelve pages begin slowly on a busy machine. */
const PATIENT_MS = 180_000
let browser: Browser
let first: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
  const app = `import { svc } from '@svc/sdk'
    globalThis.rename = (title) => svc.window.set_title({ title }); svc.ready`
  first = await openRealPage(browser, { app })
})
afterAll(async () => {
  await first.close()
  await closePages(browser)
})

type Tab = Pick<RealPage, 'page' | 'frame' | 'mount' | 'traffic'>

/** Asks the host in each tab, and renames its window; the answers, and the titles that each tab was told. */
async function tell(tabs: readonly Tab[], round: string) {
  const asked = tabs.map(async ({ page, frame }, at) => {
    await frame().evaluate(`rename('${round} ${at}')`)
    return page.evaluate(async () => (await fetch('/api/v1/auth/whoami')).status)
  })
  const statuses = await Promise.all(asked)
  const titles = tabs.map(async ({ page }) => {
    await page.waitForFunction(() => globalThis.noted.length > 0)
    return page.evaluate(() => globalThis.noted.splice(0))
  })
  return { statuses, titles: await Promise.all(titles) }
}
const told = (count: number, round: string) => ({
  statuses: Array(count).fill(200),
  titles: Array.from({ length: count }, (_, at) => [`${round} ${at}`]),
})

verifies(
  'design.events.tabs',
  'over HTTP/1.1, and none depends on another',
  async () => {
    const tabs: Tab[] = [first]
    while (tabs.length < TABS) tabs.push(await openTab(first.context, first.url))
    for (const { page, mount, traffic } of tabs) {
      await mount('app')
      await traffic.socketOpen()
      await page.evaluate(() => {
        globalThis.bridge.on('title_changed', ({ title }) => globalThis.noted.push(title))
      })
    }
    expect(await tell(tabs, 'all')).toEqual(told(TABS, 'all'))
    // The first that was opened, one that leaves for another page, and one whose socket breaks.
    await tabs[1]?.page.close()
    await tabs[2]?.page.goto('about:blank')
    await tabs[3]?.traffic.cutSocket()
    expect(await tell(tabs.slice(3), 'rest')).toEqual(told(TABS - 3, 'rest'))
  },
  PATIENT_MS,
)
