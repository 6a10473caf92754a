import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { rounds } from './rounds.ts'
import type { Way } from './testing/page-host.ts'
import { openRealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

const SECONDS = rounds(30, 10)
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

const app = `import { svc } from '@svc/sdk';
  let failed = []; let calls = 0; const end = Date.now() + ${SECONDS * 1_000};
  const next = () => Date.now() > end ? show([failed, calls]) :
    svc.storage.list({}).catch((e) => { failed.push(e.code + ': ' + e.message) }).then(() => { calls++; setTimeout(next, 40) });
  svc.ready.then(next)`
/** Tokens end at whole seconds: one that is said to live one second may be over before it arrives. */
const limits = { WINDOW_TOKEN_TTL_MS: 3_000, TOKEN_SKEW_MS: 0 }

// Both at once: all of it is waiting.
verifies.each(['wall.token.renewed', 'wall.token.retry'])<Way>(['socket', 'post'])(
  `a token that lives three seconds fails no call in ${SECONDS} seconds of calls, by %s`,
  { concurrent: true },
  async (way) => {
    const at = await openRealPage(browser, { app }, { limits, way })
    at.page.setDefaultTimeout(90_000)
    await at.mount('app')
    if (way === 'socket') await at.traffic.socketOpen()
    const [failed, calls] = (await at.shown(90_000)) as [string[], number]
    expect(failed.join('; ')).toBe('')
    // Several in the life of each token.
    expect(calls).toBeGreaterThan(3 * SECONDS)
    // The calls went the way that the test is about.
    expect(at.traffic.bodies.socket > 0).toBe(way === 'socket')
    await at.close()
  },
)
