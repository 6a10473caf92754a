import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { startPageHost } from './testing/page-host.ts'
import { outcomeOf, playPolicies, policies, policyApp } from './testing/policies.ts'
import { verifies } from './verifies.ts'

const LANES = 4
const rows = Object.keys(policies)
let browser: Browser
let outcomes: Map<string, unknown>

beforeAll(async () => {
  browser = await sharedChromium()
  const folder = await writeApps({ policed: policyApp })
  const host = await startPageHost({ dir: folder.dir })
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const page = await browser.newPage()
    const played = rows.filter((_row, at) => at % LANES === lane)
    return playPolicies(host.url, played, 'policed', {
      goto: (url) => page.goto(url),
      run: (body) => page.evaluate(`(async () => { ${body} })()`),
    })
  })
  outcomes = new Map((await Promise.all(lanes)).flatMap((one) => [...one]))
  await host.close()
  folder.remove()
}, 120_000)
afterAll(() => closePages(browser))

verifies.each('wall.bundle.first')(rows)('behind a proxy: %s', (row) => {
  expect(outcomes.get(row)).toEqual(outcomeOf(row))
})
