import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { type SmallApp, writeApps } from '@svc/conformance/testing/app-folder'
import { serveByFetch } from '@svc/node/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestHost, type TestHost, type TestHostOptions } from '../index.ts'
import { type OpenAppOptions, openApp } from './index.ts'

/** It shows what it is given, what a tool returns, what a model says, and how a call is refused. */
const script = `
import { svc } from '@svc/sdk'
document.body.innerHTML = '<button>Ask</button><p id="shown"></p><p id="said"></p>'
const show = (id, text) => { document.getElementById(id).textContent = text }
const { entry_payload } = await svc.ready
show('shown', 'opened with ' + JSON.stringify(entry_payload))
document.querySelector('button').onclick = async () => {
  try {
    const { sum } = await svc.tools.invoke({ tool_id: 'odd', method: 'add', args: { a: 1, b: 2 } }, { timeoutMs: 60_000 })
    show('shown', 'sum ' + sum)
    const run = await svc.llm.streamText({ messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] })
    let said = ''
    for await (const piece of run.text()) show('said', said += piece)
  } catch (error) {
    show('shown', error.code)
  }
}`
const app: SmallApp = { script, host_api: { llm: ['*'] }, split: true }

let browser: Browser
let apps: Awaited<ReturnType<typeof writeApps>>
let dir: string
let page: Page
let host: TestHost
beforeAll(async () => {
  browser = await sharedChromium()
  apps = await writeApps({ app })
  dir = join(apps.dir, 'app')
})
afterAll(async () => {
  await closePages(browser)
  apps.remove()
})
beforeEach(async () => {
  page = await browser.newPage()
})
afterEach(async () => {
  await page.close()
  await host.close()
})

async function open(where: OpenAppOptions, options: Partial<TestHostOptions> = {}) {
  host = await createTestHost({
    manifest: JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')),
    tools: { odd: { add: ({ a, b }) => ({ sum: a + b }) } },
    models: { default: () => ({ text: ['Hel', 'lo'], everyMs: 100 }) },
    ...options,
  })
  return openApp(page, host, where)
}

it('opens a built app in a sandboxed iframe, with tools and models of the test', async () => {
  const { frame, window, close } = await open({ dir, payload: { a: 1 } })
  await frame.getByText('opened with {"a":1}').waitFor()
  expect(await frame.evaluate(() => globalThis.origin)).toBe('null')
  await frame.getByRole('button').click()
  await frame.getByText('sum 3').waitFor()
  await frame.getByText('Hel', { exact: true }).waitFor()
  await host.clock.advance(100)
  await frame.getByText('Hello').waitFor()
  expect(await window.evaluate((win) => [win.appId, win.connected])).toEqual([host.appId, true])
  await close()
  expect(await host.host.windows.list('ada')).toEqual([])
})

it('has the faults of its host', async () => {
  const { frame } = await open({ dir }, { tools: { odd: { add: () => new Promise(() => {}) } } })
  const ask = async (code: string) => {
    await frame.getByText(code).waitFor()
  }
  await frame.getByRole('button').click()
  await expect.poll(() => host.busy).toEqual(['odd.add'])
  await host.fault.killPlugin('odd')
  await ask('plug_error')
  await host.fault.hostGone()
  await frame.getByRole('button').click()
  await ask('host_unreachable')
})

it('has the faults that the app sees nothing of: each strikes, as the end of the test says', async () => {
  const { frame } = await open({ dir })
  await host.fault.expireToken()
  host.fault.loseFrame(5)
  host.fault.slowHost(10)
  await frame.getByRole('button').click()
  await expect
    .poll(async () => {
      await host.clock.advance(10)
      return frame.locator('#said').textContent()
    })
    .toBe('Hello')
  host.fault.slowHost(0)
  await host.fault.cutStream()
  await frame.getByRole('button').click()
  await frame.getByText('Hel', { exact: true }).waitFor()
  await host.clock.advance(100)
  await frame.getByText('Hello').waitFor()
  await host.close()
})

it('shows the app of a development server, which is another site', async () => {
  const read = (path: string) => readFileSync(join(dir, path === '/' ? 'index.html' : path), 'utf8')
  const server = await serveByFetch(async ({ url }) => {
    const { pathname } = new URL(url)
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
    return new Response(read(pathname), {
      headers: { 'content-type': type, 'access-control-allow-origin': '*' },
    })
  }, 0)
  const { frame } = await open({ url: `${server.url}/` })
  await frame.getByRole('button').click()
  await frame.getByText('sum 3').waitFor()
  await frame.getByText('Hel', { exact: true }).waitFor()
  await host.clock.advance(100)
  await frame.getByText('Hello').waitFor()
  expect(frame.url()).toBe(`${server.url}/`)
  await server.close()
})

it('moves the browser with the clock of the test', async () => {
  const hangs = { odd: { add: () => new Promise(() => {}) } }
  const { frame } = await open({ dir, clock: 'frozen' }, { tools: hangs })
  await frame.getByRole('button').click()
  await expect.poll(() => host.busy).toEqual(['odd.add'])
  await host.clock.advance(59_000)
  expect(await frame.locator('#shown').textContent()).toBe('opened with null')
  await host.clock.advance(2_000)
  await frame.getByText('timeout').waitFor()
  // The page cancels what it no longer waits for.
  await expect.poll(() => host.busy).toEqual([])
})

it('says what it needs', async () => {
  await expect(open({})).rejects.toMatchObject({
    message: expect.stringContaining('a built app or the address of a development server, got neither'),
    hint: expect.stringContaining("openApp(page, host, { dir: 'dist' })"),
  })
})
