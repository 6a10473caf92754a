import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, openTab, type RealPage, startBridge } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

verifies.each(['design.events.resume', 'design.events.multiplexed'])([
  ['the first window of a page', 0],
  ['a window beside another, whose events move the cursor on', 1],
])('hears what happened to %s before it was followed', async (_, others) => {
  at = await openRealPage(browser, {
    app: `import { svc } from '@svc/sdk'; svc.ready; globalThis.rename = () => svc.window.set_title({ title: 'new' })`,
  })
  if (others > 0) await at.mount('app')
  await at.page.evaluate(() => {
    globalThis.bridge.on('title_changed', ({ title }) => globalThis.noted.push(title))
    globalThis.bridge.on('close_view', ({ window_uuid }) => globalThis.noted.push(window_uuid))
  })
  let uuid = ''
  await at.page.route('**/svc-apps/windows', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue()
    const response = await route.fetch()
    uuid = (await response.json()).window_uuid
    // The window is open at the host, and the page does not know it yet.
    await at.page.evaluate(async (id) => {
      const closed = await fetch(`/api/v1/svc-apps/windows/${id}`, { method: 'DELETE' })
      if (!closed.ok) throw new Error(await closed.text())
    }, uuid)
    if (others > 0) {
      await at.frame().evaluate('rename()')
      await at.notes(1)
    }
    await route.fulfill({ response })
  })
  await at.mountSilent('app')
  await at.notes(others + 1)
  expect(await at.notes(others + 1)).toEqual([...(others > 0 ? ['new'] : []), uuid])
  expect(await at.page.evaluate(() => globalThis.bridge.windows.length)).toBe(others)
})

verifies('window.close.page_reason', 'tells another page that shows a window why it was closed', async () => {
  at = await openRealPage(browser, { app: `import { svc } from '@svc/sdk'; svc.ready` })
  await at.mount('app')
  const uuid = await at.page.evaluate(() => globalThis.win.windowUuid)
  const other = await openTab(at.context, at.url)
  await other.page.evaluate(async (windowUuid) => {
    const win = await globalThis.bridge.attachWindow({ into: document.body, windowUuid })
    win.on('closed', ({ reason }) => globalThis.noted.push(reason))
  }, uuid)
  expect(await at.page.evaluate(() => globalThis.win.close('there'))).toBe(true)
  expect(await other.notes(1)).toEqual(['there'])
})

verifies('window.attached', 'a page that goes leaves what another page has attached since', async () => {
  at = await openRealPage(browser, { app: `import { svc } from '@svc/sdk'; svc.ready` })
  const uuids = await at.page.evaluate(async () => {
    const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
    const open = () => globalThis.bridge.mountWindow({ into: document.body, appId: installs[0].app_id })
    return [(await open()).windowUuid, (await open()).windowUuid]
  })
  const other = await openTab(at.context, at.url)
  await other.page.evaluate(async (windowUuid = '') => {
    await globalThis.bridge.attachWindow({ into: document.body, windowUuid })
  }, uuids[0])
  const open = () =>
    other.page.evaluate(async () => (await globalThis.bridge.listWindows()).map((one) => one.window_uuid))
  expect((await open()).sort()).toEqual([...uuids].sort())
  await at.page.goto('about:blank')
  // The page closes them in their order.
  await expect.poll(open).toEqual([uuids[0]])
  await other.page.evaluate(() => {
    for (const window of globalThis.bridge.windows) window.keep = false
  })
  await other.page.reload()
  await startBridge(other.page)
  await expect.poll(open).toEqual([])
})

verifies.each('window.page_gone')([
  ['closes its windows when it goes', false, 1],
  ['leaves open what it keeps', true, 13],
])('a page %s', async (_, keep, left) => {
  at = await openRealPage(browser, { app: `import { svc } from '@svc/sdk'; svc.ready` })
  const open = () => at.page.evaluate(async () => (await globalThis.bridge.listWindows()).length)
  for (let load = 0; load < 4; load++) {
    await at.page.evaluate(async (keep) => {
      const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
      const mount = { into: document.body, appId: installs[0].app_id, keep }
      await Promise.all([1, 2, 3].map(() => globalThis.bridge.mountWindow(mount)))
    }, keep)
    await at.page.reload()
    await startBridge(at.page)
  }
  await at.mount('app')
  await expect.poll(open).toBe(left)
})
