import { setTimeout as after } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openReciter, type Reciter } from './testing/reciter.ts'
import { PATIENT } from './testing/run-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: Reciter

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

const open = async () => {
  at = await openReciter(await browser.newContext())
}

const loadItself = () => at.frame().evaluate('globalThis.isOld = true; location.reload()')
verifies.each(['design.kept.reload', 'design.sdk.run.reload', 'design.stream.attach'])<
  readonly [string, () => Promise<unknown>]
>([
  ['nothing', async () => {}],
  ['a reload of its document, which does it itself', loadItself],
  ['a reload of the whole page', () => at.reload()],
])('a run loses nothing over %s', async (_, reload) => {
  await open()
  for (const least of [60, 160, 260]) {
    await at.midway(least)
    await reload()
  }
  await at.isWhole()
})

/** Away until the bridge has tried in vain to connect again, and more than a second. */
const awayInVain = async () => {
  await after(1_200)
  await expect.poll(() => at.relay.refused, PATIENT).toBeGreaterThan(0)
}
verifies.each(['design.kept.network', 'design.stream.resume'])<
  readonly [string, readonly number[], () => Promise<unknown>]
>([
  ['is away for a tenth of a second, three times', [60, 160, 260], () => after(100)],
  ['is away for more than a second', [60], awayInVain],
  ['is away until the run is over', [400], () => at.isOver()],
])('a run loses nothing over a network that %s', async (_, times, isAway) => {
  await open()
  let streams = 0
  at.page.on('request', (request) => {
    if (request.url().includes('/runtime/events')) streams++
  })
  for (const least of times) {
    await at.midway(least)
    expect(at.relay.cut()).toBeGreaterThan(0)
    await isAway()
    at.relay.mend()
  }
  await at.isWhole()
  expect(streams).toBeGreaterThanOrEqual(times.length)
})

verifies(
  ['design.kept.network'],
  'a run loses nothing over a network that falls silent, and breaks a second later with all that was on it',
  async () => {
    await open()
    await at.midway(60, 400)
    at.relay.hush()
    await after(1_200)
    expect(at.relay.cut()).toBeGreaterThan(0)
    at.relay.mend()
    await at.isTalking()
    await at.isWhole()
  },
)
