import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { bridgeScript } from './testing/bridge-script.ts'
import { startOtherSite } from './testing/other-site.ts'
import { startPageHost } from './testing/page-host.ts'
import { mount, startBridge } from './testing/tab-page.ts'
import { uploadApp } from './testing/upload-app.ts'
import { watchTraffic } from './testing/watch-sockets.ts'
import { verifies } from './verifies.ts'

declare global {
  /** Stores a value, in the document of the app. */
  var store: () => Promise<unknown>
}

let browser: Browser
let apps: Awaited<ReturnType<typeof writeApps>>

beforeAll(async () => {
  browser = await sharedChromium()
  const store = `globalThis.store = () => svc.storage.set({ key: 'k', value: 1 })`
  apps = await writeApps({ app: { ...uploadApp, script: `${uploadApp.script}; ${store}` } })
})
afterAll(async () => {
  await closePages(browser)
  apps.remove()
})

/** Has the browser keep cookies of other sites from a page, but those that are partitioned. */
async function blockThirdParties(page: Page): Promise<void> {
  const controls = {
    enableThirdPartyCookieRestriction: true,
    disableThirdPartyCookieMetadata: true,
    disableThirdPartyCookieHeuristics: true,
  }
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.setCookieControls', controls)
}

async function open(change: (file: string) => string = (file) => file) {
  const site = await startOtherSite(apps.dir, change)
  onTestFinished(() => site.close())
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await blockThirdParties(page)
  const traffic = await watchTraffic(page)
  return { site, context, page, traffic }
}

verifies(
  ['sign_in.page', 'bridge.page_token'],
  'the page of the guide has an app of a host at another site, without a cookie',
  async () => {
    const { site, context, page, traffic } = await open()
    await page.goto(site.page)
    await page.waitForFunction(() => document.querySelector('iframe'))
    const frame = page.frames().at(-1)
    const shows = await frame?.waitForFunction(() => document.documentElement.dataset.shown)
    expect(JSON.parse(String(await shows?.jsonValue()))).toMatchObject({ value: 1, put: 200, width: 1 })
    expect(frame?.url()).toContain(`${site.host}/api/v1/svc-apps/bundles/`)
    await traffic.socketOpen()
    expect(traffic.complaints).toEqual([])
    expect(site.cookies).toEqual([])
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['session'])
  },
)

verifies(
  ['sign_in.page', 'bridge.page_token'],
  'tokens that end in mid-work are followed by others, over the call socket too',
  async () => {
    const { site, page, traffic } = await open((file) =>
      file.replace('{ secret, user }', '{ secret, user, seconds: 1 }'),
    )
    let tokens = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/svc-token')) tokens += 1
    })
    await page.goto(site.page)
    await page.waitForFunction(() => document.querySelector('iframe'))
    const frame = page.frames().at(-1)
    await frame?.waitForFunction(() => document.documentElement.dataset.shown)
    await traffic.socketOpen()
    const refused: string[] = []
    const before = [tokens, traffic.bodies.socket]
    while (tokens < (before[0] ?? 0) + 2 || traffic.bodies.socket < (before[1] ?? 0) + 20)
      refused.push(
        await frame?.evaluate(() =>
          globalThis.store().then(
            () => 'ok',
            ({ code }) => code,
          ),
        ),
      )
    expect(new Set(refused)).toEqual(new Set(['ok']))
  },
)

verifies('route.cors', 'a page of another site may use a cookie that is partitioned', async () => {
  const code = await bridgeScript()
  const front = createServer((req, res) => {
    const isScript = req.url === '/bridge.js'
    res.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    res.end(isScript ? code : '<!doctype html><body><script type=module src=/bridge.js></script>')
  })
  front.listen(0, 'localhost')
  await once(front, 'listening')
  onTestFinished(() => void front.close())
  const outer = `http://localhost:${(front.address() as AddressInfo).port}`
  const host = await startPageHost({ dir: apps.dir, shared: { origins: [outer], partitionedCookies: true } })
  onTestFinished(() => host.close())
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await blockThirdParties(page)
  await page.goto(outer)
  const here = (script: string) => script.replaceAll("fetch('", `ask('${host.url}`)
  await page.evaluate(`(async () => {
    const ask = (url, init) => fetch(url, { ...init, credentials: 'include' })
    ${here(startBridge).replace('createBridge({', `createBridge({ baseUrl: '${host.url}',`)}
    ${here(mount('app'))}
  })()`)
  const frame = page.frames().at(-1)
  const shows = await frame?.waitForFunction(() => document.documentElement.dataset.shown)
  expect(JSON.parse(String(await shows?.jsonValue()))).toMatchObject({ value: 1, text: true })
})

verifies('reach.address', 'a page behind a proxy that rewrites Host has an app', async () => {
  let inner = ''
  const forward = ({ method, url, headers }: IncomingMessage) =>
    request(`${inner}${url}`, { method, headers: { ...headers, host: new URL(inner).host } })
  const front = createServer((req, res) => {
    const ahead = forward(req).on('response', (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers).flushHeaders()
      reply.pipe(res)
    })
    res.once('close', () => ahead.destroy())
    ahead.on('error', () => res.destroy())
    req.pipe(ahead)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  onTestFinished(() => void front.close())
  const outer = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const host = await startPageHost({ dir: apps.dir, shared: { origins: [outer] } })
  onTestFinished(() => host.close())
  onTestFinished(() => front.closeAllConnections())
  inner = host.url
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(outer)
  await page.evaluate(`(async () => { ${startBridge} ${mount('app')} })()`)
  const frame = page.frames().at(-1)
  const shows = await frame?.waitForFunction(() => document.documentElement.dataset.shown)
  expect(JSON.parse(String(await shows?.jsonValue()))).toMatchObject({ value: 1, text: true })
  expect(frame?.url()).toContain(`${outer}/api/v1/svc-apps/bundles/`)
})
