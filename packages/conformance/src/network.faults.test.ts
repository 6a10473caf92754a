import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { show } from './testing/bridge-page.ts'
import { type HostProcess, startHostProcess } from './testing/host-process.ts'
import { slackMs } from './testing/processes.ts'
import { openPageAt } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

const PATIENT = { timeout: 60_000, interval: 50 }

let browser: Browser
let context: BrowserContext | undefined
let host: HostProcess | undefined
let remove = () => {}

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
afterEach(async () => {
  await context?.close()
  host?.goOn()
  host?.kill()
  remove()
})

/** A page with a window over its call socket, and what its bridge tells of the host, with how long after `from`. */
async function openPage() {
  const apps = await writeApps({
    app: {
      script: `import { svc } from '@svc/sdk'; ${show}
        globalThis.list = () => svc.storage.list({}).then(({ items }) => items.length, (e) => e.code);
        globalThis.title = () => svc.window.set_title({ title: 'x' }).then(() => 'set', (e) => e.code);
        svc.ready.then(() => show(1))`,
    },
  })
  remove = apps.remove
  host = startHostProcess('page-host-process.ts', [apps.dir])
  const at = await openPageAt(browser, await host.line('ready'))
  context = at.context
  await at.page.evaluate(() => {
    const note = (name: string) => globalThis.noted.push([name, performance.now()])
    globalThis.bridge.on('host_lost', ({ reason }) => note(reason))
    globalThis.bridge.on('host_back', () => note('back'))
  })
  await at.mount('app')
  expect(await at.shown()).toBe(1)
  await at.traffic.socketOpen()
  const noted = () => at.page.evaluate(() => globalThis.noted as [string, number][])
  /** Does something to the network; returns what the page is told next, and how many ms later. */
  async function after(act: () => unknown) {
    const { length } = await noted()
    const fromMs = await at.page.evaluate(() => performance.now())
    await act()
    await expect.poll(async () => (await noted()).length, PATIENT).toBeGreaterThan(length)
    const [name = '', atMs = 0] = (await noted())[length] ?? []
    return { name, ms: atMs - fromMs }
  }
  return { ...at, after }
}

verifies(
  'bridge.network',
  'a network that goes is told within 1 s, one that comes back within 2 s',
  async () => {
    const { after, frame } = await openPage()
    const gone = await after(() => context?.setOffline(true))
    expect(gone.name).toBe('offline')
    expect(gone.ms).toBeLessThan(1_000 + (await slackMs()))
    expect(await frame().evaluate('list()')).toBe('host_unreachable')
    const back = await after(() => context?.setOffline(false))
    expect(back.name).toBe('back')
    expect(back.ms).toBeLessThan(2_000 + (await slackMs()))
    expect(await frame().evaluate('list()')).toBe(0)
  },
)

verifies(
  ['bridge.silence', 'bridge.calls.again'],
  'a host that stands still is told within 25 s; its calls settle, and what waited is answered when it goes on',
  async () => {
    const { after, frame } = await openPage()
    let under: Promise<unknown>[] = []
    const gone = await after(() => {
      host?.hold()
      under = ['title()', 'list()'].map((call) => frame().evaluate(call))
    })
    expect(gone.name).toBe('unreachable')
    expect(gone.ms).toBeLessThan(25_000 + (await slackMs()))
    const back = await after(() => host?.goOn())
    expect(back.name).toBe('back')
    // What was under way may have been carried out; what waited behind it was not.
    expect(await Promise.all(under)).toEqual(['host_unreachable', 0])
    expect(await frame().evaluate('title()')).toBe('set')
  },
)
