// Alone: what is told is told in time, and several pages load at once.
import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { slackMs } from '@svc/conformance/processes'
import { writeApps } from '@svc/conformance/testing/app-folder'
import { type BentAt, bentApp, playBend } from '@svc/conformance/testing/bent-page'
import { startPageHost } from '@svc/conformance/testing/page-host'
import { startBridge } from '@svc/conformance/testing/tab-page'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { BendRow } from './bend.ts'
import { createBendingFront } from './bending-front.ts'
import { type BendName, bendTable } from './bends.ts'

const LANES = 4
/** How much later than by itself something may be told, because pages share the machine, in ms. */
const SHARED_MS = 2_000
const isLong = /no |load_failed|lost/
const expected = (Object.entries(bendTable) as [BendName, BendRow][]).flatMap(([name, { opens, runs }]) => [
  [name, 'opens', opens] as const,
  ...(runs === undefined ? [] : [[name, 'runs', runs] as const]),
])
const outcomes = new Map<string, unknown>()
let browser: Browser

beforeAll(async () => {
  browser = await sharedChromium()
  const slack = SHARED_MS + (await slackMs())
  const folder = await writeApps({ bent: bentApp })
  const host = await startPageHost({ dir: folder.dir })
  const waiting = expected.toSorted(([, , a], [, , b]) => Number(isLong.test(b)) - Number(isLong.test(a)))
  const lane = async () => {
    const page = await browser.newPage()
    const front = await createBendingFront({ target: host.url })
    const run = (body: string) => page.evaluate(`(async () => { ${body} })()`)
    await page.goto(front.url)
    await run(startBridge)
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const [name, at] = row
      outcomes.set(`${name} ${at}`, await playBend({ run }, front, [name], at, slack).catch(String))
    }
    await front.close()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await host.close()
  folder.remove()
}, 240_000)
afterAll(() => closePages(browser))

verifies.each('bridge.bent')<readonly [name: BendName, at: BentAt, seen: string]>(expected)(
  '%s: a window that %s: %s',
  (name, at, seen) => {
    expect(outcomes.get(`${name} ${at}`)).toBe(seen)
  },
)
