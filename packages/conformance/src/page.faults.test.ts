import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import type { Way } from './testing/page-host.ts'
import { leftOf } from './testing/processes.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
afterEach(() => at.close())

const app = (body: string) => `import { svc } from '@svc/sdk'; ${body}`
const hangs = () => at.processes().filter(({ command }) => /\bodd-plugin\.ts$/.test(command)).length
const noneLeft = async () => expect(await leftOf(() => at.processes(), 1_500)).toEqual([])

describe.each<[Way]>([['socket'], ['post']])('over %s', (way) => {
  const open = async (apps: Parameters<typeof openRealPage>[1], options = {}) => {
    at = await openRealPage(browser, apps, { ...options, way })
  }
  const mount = async (name: string) => {
    await at.mount(name)
    if (way === 'socket') await at.traffic.socketOpen()
  }
  // The calls went the way that the test is about.
  afterEach(() => expect(at.traffic.bodies.socket > 0).toBe(way === 'socket'))

  verifies(
    ['design.lanes.quick', 'design.lanes.slow', 'design.socket.quick', 'call.bridge'],
    'six tools that hang leave the bundle its heartbeat, within 100 ms each or as soon as before',
    async () => {
      await open({
        hang: app(`const slowestOf50 = async () => {
          let slowest = 0;
          for (let n = 0; n < 50; n++) {
            const start = performance.now();
            await svc.window.heartbeat();
            slowest = Math.max(slowest, performance.now() - start);
          }
          return slowest;
        };
        globalThis.go = async () => {
        const before = await slowestOf50();
        for (let n = 0; n < 6; n++) setTimeout(() => svc.tools.invoke({ tool_id: 'odd.hang' }).catch(() => 0), 20 * n);
        await new Promise((done) => setTimeout(done, 500));
        const max = Math.max(100, before);
        let slowest = Infinity;
        for (let tries = 0; tries < 3 && slowest >= max; tries++) slowest = await slowestOf50();
        show([slowest, max]) }; svc.ready`),
      })
      await mount('hang')
      await at.frame().evaluate('go()')
      // What waits behind the tools waits each time; a busy machine does not.
      const [slowest, max] = (await at.shown()) as [number, number]
      expect(slowest).toBeLessThan(max)
    },
  )

  verifies(
    [
      'wall.in_flight.bridge',
      'wall.in_flight.waiting',
      'wall.in_flight.order',
      'error.rate_limited',
      'design.batch.array',
    ],
    '340 calls at once are answered in order, those past 320 with rate_limited',
    async () => {
      await open({
        flood: app(`globalThis.go = async () => {
        // The hello of the client is a call of its own.
        await svc.ready;
        const order = [];
        const all = await Promise.all(Array.from({ length: 340 }, (_, n) =>
          svc.storage.set({ key: String(n), value: n }).then(() => { order.push(n); return 'ok' }, (e) => e.code)));
        const { items } = await svc.storage.list({ limit: 1000 });
        show([all, order, items.length]) }; svc.ready`),
      })
      await mount('flood')
      await at.frame().evaluate('go()')
      const [all, order, stored] = (await at.shown()) as [string[], number[], number]
      expect(all).toEqual([...Array(320).fill('ok'), ...Array(20).fill('rate_limited')])
      expect(order).toEqual(Array.from({ length: 320 }, (_, n) => n))
      expect(stored).toBe(320)
    },
  )

  verifies(
    ['design.sdk.settles', 'design.sdk.bridge_reset', 'wall.plugin.tree'],
    'a window closed in mid-call settles every promise, and the tool call ends in the plugin',
    async () => {
      await open(
        {
          closing: app(`const tell = (what) => parent.postMessage(what, '*');
          globalThis.go = () => {
            for (let n = 0; n < 3; n++) svc.tools.invoke({ tool_id: 'odd.hang', args: { grandchild: true } })
              .then(() => tell('answer'), (e) => tell(e.code));
            svc.storage.list({}).then(() => tell('listed')) }; svc.ready`),
        },
        { limits: { POOL_IDLE_MS: 100 } },
      )
      await at.page.evaluate(() => {
        addEventListener('message', ({ data }) => typeof data === 'string' && globalThis.noted.push(data))
      })
      await mount('closing')
      await at.frame().evaluate('go()')
      await expect
        .poll(() => at.processes().filter(({ command }) => command.includes('while')).length)
        .toBe(3)
      const closed = await at.page.evaluate(() => globalThis.win.close('enough'))
      expect(closed).toBe(true)
      // The document is gone with its iframe: what it heard last is what its promises settled with.
      await noneLeft()
      expect(hangs()).toBe(0)
      expect(await at.page.evaluate(() => globalThis.bridge.windows.length)).toBe(0)
      expect(await at.page.locator('iframe').count()).toBe(0)
    },
  )
})
