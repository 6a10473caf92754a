// Alone: how late words come is measured.
import { type BendName, createBendingFront } from '@svc/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { startPageHost } from './testing/page-host.ts'
import { slackMs } from './testing/processes.ts'
import { openReciter } from './testing/reciter.ts'
import { verifies } from './verifies.ts'

/** What comes late by the ruling, and for as much as a busy machine is slow by itself. */
const LATE_MS = 4_000
/** Words that the model says in the meantime. */
const STEP = 40
let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))

verifies.each('bridge.held')<[BendName]>([['holds_events'], ['buffers_events'], ['compresses_all']])(
  'the words of a model come as they are said behind a front that %s',
  async (bend) => {
    const at = await openReciter(await browser.newContext(), {}, async (options) => {
      const host = await startPageHost(options)
      const front = await createBendingFront({ target: host.url })
      front.bend(bend, 'no_sockets')
      return {
        url: front.url,
        async close() {
          await front.close()
          await host.close()
        },
      }
    })
    onTestFinished(() => at.close())
    // The bridge has found out that its stream says nothing, or nothing more.
    await at.page.waitForRequest(/poll=1/, { timeout: 60_000 })
    await at.midway(2 * STEP, 0)
    const late: number[] = []
    for (let least = 3 * STEP; least <= 6 * STEP; least += STEP) {
      const since = performance.now()
      await at.midway(least, 0)
      late.push(performance.now() - since)
    }
    expect(Math.max(...late)).toBeLessThan(LATE_MS + (await slackMs()))
  },
)
