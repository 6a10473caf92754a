import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createHost } from '@svc/host'
import { pino } from 'pino'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { TEST_START_TOKEN } from './start-token.ts'
import { writeApps } from './testing/app-folder.ts'
import { type EmbedWay, startEmbedder } from './testing/embedder.ts'
import { ODD_PLUGIN } from './testing/tool-host.ts'
import { uploadApp } from './testing/upload-app.ts'
import { watchTraffic } from './testing/watch-sockets.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let apps: Awaited<ReturnType<typeof writeApps>>

beforeAll(async () => {
  browser = await sharedChromium()
  apps = await writeApps({ app: uploadApp })
})
afterAll(async () => {
  await closePages(browser)
  apps.remove()
})

verifies.each('host.config.base_path')<[EmbedWay]>([['keep'], ['strip'], ['same process']])(
  'an app works whole in the page of a site that has the host under /svc (%s)',
  async (way) => {
    const host = createHost({
      basePath: '/svc',
      harness: true,
      startToken: TEST_START_TOKEN,
      upgrades: true,
      logger: pino({ level: 'silent' }),
      apps: readdirSync(apps.dir).map((name) => ({
        dir: join(apps.dir, name),
        grants: { upload_grant: true },
      })),
      plugins: [{ slug: 'odd', command: ['node', ODD_PLUGIN] }],
    })
    onTestFinished(() => host.close())
    await host.plugins.ready()
    const { port } = await host.listen(0)
    const site = await startEmbedder(host, port, way)
    onTestFinished(() => site.close())
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const traffic = await watchTraffic(page)
    const troubles: string[] = []
    page.on('console', (said) => said.type() === 'error' && troubles.push(said.text()))
    await page.goto(site.url)
    await page.waitForFunction(() => 'bridgeApi' in globalThis)
    await page.evaluate(async (start) => {
      const json = { 'content-type': 'application/json', authorization: `Bearer ${start}` }
      await fetch('/svc/api/v1/auth/dev-login', { method: 'POST', headers: json, body: '{"user":"ada"}' })
      const { installs } = await (await fetch('/svc/api/v1/svc-apps/installs')).json()
      const bridge = globalThis.bridgeApi.createBridge({ baseUrl: '/svc' })
      await bridge.mountWindow({ into: document.body, appId: installs[0].app_id })
    }, TEST_START_TOKEN)
    const frame = page.frames().at(-1)
    const shows = await frame?.waitForFunction(() => document.documentElement.dataset.shown)
    expect(JSON.parse(String(await shows?.jsonValue()))).toEqual({
      value: 1,
      text: true,
      put: 200,
      width: 1,
      path: '/svc/api/v1/svc-apps/files/',
    })
    expect(frame?.url()).toMatch(/\/svc\/api\/v1\/svc-apps\/bundles\/[0-9a-f]{64}\/index\.html\?window=/)
    expect(traffic.bodies.socket).toBeGreaterThan(0)
    expect(troubles).toEqual([])
    expect((await context.cookies()).map(({ path }) => path)).toEqual(['/svc'])
  },
)

verifies(
  'host.config.base_path',
  'a bridge whose baseUrl is not the base path of its host says so',
  async () => {
    const host = createHost({
      harness: true,
      startToken: TEST_START_TOKEN,
      runner: null,
      logger: pino({ level: 'silent' }),
      apps: readdirSync(apps.dir).map((name) => ({ dir: join(apps.dir, name) })),
    })
    onTestFinished(() => host.close())
    const { port } = await host.listen(0)
    const site = await startEmbedder(host, port, 'strip')
    onTestFinished(() => site.close())
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(site.url)
    await page.waitForFunction(() => 'bridgeApi' in globalThis)
    const refused = await page.evaluate(async (start) => {
      const json = { 'content-type': 'application/json', authorization: `Bearer ${start}` }
      await fetch('/svc/api/v1/auth/dev-login', { method: 'POST', headers: json, body: '{"user":"ada"}' })
      const { installs } = await (await fetch('/svc/api/v1/svc-apps/installs')).json()
      const bridge = globalThis.bridgeApi.createBridge({ baseUrl: '/svc' })
      return await bridge
        .mountWindow({ into: document.body, appId: installs[0].app_id })
        .catch(({ code, message }) => [code, message])
    }, TEST_START_TOKEN)
    expect(refused).toEqual([
      'invalid_arg',
      expect.stringMatching(
        /^the host has its apps at \/api\/.*, outside of the bridge's baseUrl \/svc; start it with the same basePath$/,
      ),
    ])
  },
)
