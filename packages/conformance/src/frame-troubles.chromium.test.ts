import type { BridgeError } from '@svc/bridge'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { frameTroubles, startFront } from './testing/frame-troubles.ts'
import { openPageAt, openRealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let real: Awaited<ReturnType<typeof openRealPage>>

beforeAll(async () => {
  browser = await sharedChromium()
  real = await openRealPage(browser, { app: `import { svc } from '@svc/sdk'; svc.ready` })
})
afterAll(async () => {
  await real.close()
  await closePages(browser)
})

verifies.each('wall.frame.reason')(frameTroubles.map((row) => [row.name, row] as const))(
  'names the reason why an app does not load: %s',
  async (_, { bends, reason, hint, until = 'loaded' }) => {
    const front = await startFront(real.url, ...bends)
    onTestFinished(front.close)
    const at = await openPageAt(browser, front.url)
    onTestFinished(() => at.context.close())
    const told = await at.page.evaluate(async (until) => {
      const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
      const since = performance.now()
      return globalThis.bridge
        .mountWindow({ into: document.body, appId: installs[0].app_id, until })
        .then(
          () => ({}) as BridgeError,
          (error: BridgeError) => error,
        )
        .then(({ details }) => ({ ...details, ms: performance.now() - since }))
    }, until)
    expect(told).toMatchObject({ reason, hint: expect.stringContaining(hint) })
    // Of the minute that a document has.
    expect(told.ms).toBeLessThan(20_000)
  },
)
