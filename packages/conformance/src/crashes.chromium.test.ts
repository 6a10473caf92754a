import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openPageAt, openRealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

const PATIENT_MS = 120_000
let browser: Browser

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))

/** Opens a window as a page does that keeps none; its id, or the code of what the host said. */
const open = (page: Page) =>
  page.evaluate(async () => {
    const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
    return globalThis.bridge
      .mountWindow({ into: document.body, appId: installs[0].app_id, until: 'connected' })
      .then(
        ({ windowUuid }) => windowUuid,
        ({ code }) => String(code),
      )
  })

const ends: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'whose process crashed': async (page) => {
    const crashed = page.waitForEvent('crash')
    const session = await page.context().newCDPSession(page)
    session.send('Page.crash').catch(() => undefined)
    await crashed
  },
  'that were taken away without a word': (page) => page.context().close(),
}

verifies.each('window.gives_way')(Object.entries(ends))(
  "the windows of pages %s stand in nobody's way, and those of others stay",
  async (_, end) => {
    const limits = { WINDOWS_PER_APP: 4, WINDOW_UNSEEN_MS: 1_000 }
    const at = await openRealPage(browser, { app: `import { svc } from '@svc/sdk'; svc.ready` }, { limits })
    onTestFinished(() => at.close())
    const gone: string[] = []
    for (let n = 0; n < 3; n++) {
      const other = await openPageAt(browser, at.url)
      onTestFinished(() => other.context.close())
      gone.push(await open(other.page))
      await end(other.page)
    }
    // Of the one that is open last the host heard last, whatever its page does.
    const living = await open(at.page)
    expect(new Set([living, ...gone]).size).toBe(4)
    const added: string[] = []
    const addOne = async () => {
      const uuid = await open(at.page)
      if (uuid !== 'quota_exceeded') added.push(uuid)
      return added.length
    }
    await expect.poll(addOne, { timeout: 60_000, interval: 200 }).toBe(3)
    const left = () => globalThis.bridge.listWindows()
    const uuids = (await at.page.evaluate(left)).map((one) => one.window_uuid)
    expect(uuids.sort()).toEqual([living, ...added].sort())
  },
  PATIENT_MS,
)
