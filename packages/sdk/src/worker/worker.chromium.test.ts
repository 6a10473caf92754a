import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { openRealPage, type RealPage } from '@svc/conformance/testing/real-page'
import { workerApp, workerShows } from '@svc/conformance/testing/worker-app'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'

let browser: Browser
let at: RealPage
beforeAll(async () => {
  browser = await sharedChromium()
  at = await openRealPage(browser, { worker: await workerApp() })
}, 60_000)
afterAll(async () => {
  await at.close()
  await closePages(browser)
})

verifies(
  ['sdk.worker', 'sdk.worker.errors', 'sdk.worker.settles', 'sdk.worker.transfer'],
  'a worker in a window has svc, and every call to it settles, also while it loops for ever',
  async () => {
    await at.mountSilent('worker')
    expect(await at.shown(30_000)).toEqual(workerShows)
    // One that was never given its call may wait for the next.
    const plugins = () => at.processes().filter(({ command }) => command.startsWith(process.execPath))
    await expect.poll(() => plugins().length).toBeLessThanOrEqual(1)
  },
)
