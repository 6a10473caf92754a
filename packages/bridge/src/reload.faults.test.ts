import { launchChromium } from '@svc/conformance/chromium'
import { type BridgePage, openBridgePage } from '@svc/conformance/testing/bridge-page'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

const ROUNDS = 25
let browser: Browser
let at: BridgePage

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  at = await openBridgePage(browser)
})
afterEach(() => at.close())

const never = () => new Promise(() => undefined)
verifies(
  ['design.sdk.settles', 'design.sdk.bridge_reset'],
  `settles every call when its document is reloaded, ${ROUNDS} times`,
  async () => {
    // What a document asks of the storage is answered when the next one asks: too late, however busy the machine is.
    let answerLast = () => {}
    at.host.onCall = ({ ns, method }) => {
      if (ns === 'tools') return never()
      if (method !== 'get') return {}
      answerLast()
      return new Promise<void>((done) => {
        answerLast = done
      })
    }
    await at.host.addApp('reload', {
      script: `let hidden = 0; addEventListener('pagehide', () => { hidden = Date.now() });
      import { svc } from '@svc/sdk';
      const tell = (e) => parent.postMessage({ code: e.code, ms: Date.now() - hidden }, '*');
      svc.ready.then(() => {
        svc.tools.invoke({ tool_id: 'a.b' }).catch(tell);
        svc.storage.get({ key: 'k' }).catch(tell);
        parent.postMessage({ calling: true }, '*');
      })`,
    })
    const seen = await at.page.evaluate(async (rounds) => {
      const { bridge } = globalThis
      let calling: (() => void) | undefined
      const settled: { code: string; ms: number }[] = []
      addEventListener('message', ({ data }) => {
        if (data.calling) calling?.()
        else if (data.code) settled.push(data)
      })
      const called = () =>
        new Promise<void>((done) => {
          calling = done
        })
      const first = called()
      const win = await bridge.mountWindow({ into: document.body, appId: 'reload' })
      globalThis.win = win
      const epochs: number[] = []
      win.on('connected', (epoch) => epochs.push(epoch))
      await first
      for (let round = 0; round < rounds; round++) {
        const next = called()
        win.reload()
        await next
      }
      // What the last document said as it went may come after the first word of the next.
      for (let tries = 0; settled.length < 2 * rounds && tries < 100; tries++)
        await new Promise((done) => setTimeout(done, 20))
      return {
        count: settled.length,
        codes: [...new Set(settled.map(({ code }) => code))],
        slowest: Math.max(...settled.map(({ ms }) => ms)),
        epochs: epochs.at(-1),
        windows: bridge.windows.length,
      }
    }, ROUNDS)
    expect(seen).toMatchObject({ count: 2 * ROUNDS, codes: ['bridge_reset'], epochs: ROUNDS + 1, windows: 1 })
    expect(seen.slowest).toBeLessThan(100)
    // The last document's slow call is all that is left at the host.
    answerLast()
    await expect.poll(() => at.host.openPosts()).toBe(1)
    await at.page.evaluate(() => globalThis.win.detach())
    await expect.poll(() => [at.host.openPosts(), at.host.openStreams()]).toEqual([0, 0])
  },
)
