import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { show } from './testing/bridge-page.ts'
import { type HostProcess, startHostProcess } from './testing/host-process.ts'
import { leftOf } from './testing/processes.ts'
import { openPageAt, signInAs } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

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
  host?.kill()
  remove()
})

verifies(
  ['design.sdk.settles', 'design.socket.back', 'wall.plugin.dies_with_host'],
  'a host killed and started again under the page: its calls settle, the page is told, and goes on',
  async () => {
    const apps = await writeApps({
      app: {
        script: `import { svc } from '@svc/sdk'; ${show}
          globalThis.hang = () => svc.tools.invoke({ tool_id: 'odd.hang' }).then(() => 'answer', (e) => e.code);
          globalThis.list = () => svc.storage.list({}).then(({ items }) => items.length, (e) => e.code);
          svc.ready.then(() => show(1))`,
      },
    })
    remove = apps.remove
    host = startHostProcess('page-host-process.ts', [apps.dir])
    const url = await host.line('ready')
    const at = await openPageAt(browser, url)
    context = at.context
    await at.page.evaluate(() => {
      for (const type of ['host_lost', 'host_back', 'signed_out', 'window_lost'] as const)
        globalThis.bridge.on(type, () => globalThis.noted.push(type))
    })
    await at.mount('app')
    expect(await at.shown()).toBe(1)
    await at.traffic.socketOpen()
    const hanging = at.frame().evaluate('hang()')
    await expect.poll(() => host?.plugins().length).toBeGreaterThan(0)

    host.kill()
    await host.ended
    expect(await hanging).toBe('host_unreachable')
    expect(await at.frame().evaluate('list()')).toBe('host_unreachable')
    expect(await at.notes(1)).toEqual(['host_lost'])
    const { plugins } = host
    expect(await leftOf(plugins, 1_500)).toEqual([])

    host = startHostProcess('page-host-process.ts', [apps.dir, new URL(url).port])
    expect(await host.line('ready')).toBe(url)
    // A host of memory has forgotten the sign-in too; once the user has signed in again, the window is told lost.
    const noted = (wanted: string) =>
      expect.poll(() => at.page.evaluate(() => globalThis.noted), { timeout: 20_000 }).toContain(wanted)
    await noted('signed_out')
    await signInAs(at.page, 'ada')
    await noted('host_back')
    await noted('window_lost')

    await at.page.evaluate(() => globalThis.win.detach())
    await at.mount('app')
    expect(await at.shown()).toBe(1)
    await at.traffic.socketOpen()
    const { post, socket } = at.traffic.bodies
    expect(await at.frame().evaluate('list()')).toBe(0)
    await expect.poll(() => at.traffic.bodies).toEqual({ post, socket: socket + 1 })
  },
)
