import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

const app = `import { svc } from '@svc/sdk'
  globalThis.svc = svc
  svc.ready.then(() => show('ready'))`

let browser: Browser
let at: RealPage
beforeAll(async () => {
  browser = await sharedChromium()
  at = await openRealPage(browser, {
    one: app,
    many: { script: app, bundle: { multi_page: true }, files: { 'notes.txt': 'a text of the app' } },
  })
}, 60_000)
afterAll(async () => {
  await at.close()
  await closePages(browser)
})

/** The address of the app's document as the app reads it, without its folder and ticket; no app is no address. */
const place = () =>
  at
    .frame()
    .evaluate(
      `globalThis.svc ? location.pathname.split('/').at(-1) + location.search.replace(/window=[^&]+/, '') + location.hash : null`,
    )
    .catch(() => null)
const run = (script: string) =>
  at
    .frame()
    .evaluate(script)
    .catch(() => undefined)
/** Marks the document, does it, and waits until another document of the app is there. */
async function anew(script: string): Promise<unknown> {
  await at.frame().evaluate('globalThis.isOld = true')
  await run(script)
  await expect
    .poll(() => run('globalThis.svc !== undefined && !globalThis.isOld'), { timeout: 10_000 })
    .toBe(true)
  await at.frame().waitForFunction(() => document.documentElement.dataset.shown)
  return await place()
}

/** What a field of the app takes of keys that its user presses. */
async function typed(text: string): Promise<unknown> {
  await run(`{ const field = document.createElement('input'); document.body.append(field); field.focus() }`)
  await at.page.keyboard.type(text)
  return run(`document.querySelector('input').value`)
}

describe('an app that wrote an address and reloads comes back with its query and hash', () => {
  verifies.each('window.place')<[app: string, address: string, back: string]>([
    ['one', '/notes/5?x=1#y', 'index.html?x=1#y'],
    ['one', '?x=1', 'index.html?x=1'],
    ['one', '#y', 'index.html?#y'],
    ['one', '/notes/5#y', 'index.html?#y'],
    ['one', '/notes/5', 'index.html?'],
    [
      'one',
      `/?long=${'x'.repeat(2_000)}#${'y'.repeat(2_000)}`,
      `index.html?long=${'x'.repeat(2_000)}#${'y'.repeat(2_000)}`,
    ],
    ['one', `/?window=other&x=1`, 'index.html?&x=1'],
    ['many', '/notes/5?x=1#y', 'index.html?x=1#y'],
    ['many', 'deep/er?x=1#y', 'index.html?x=1#y'],
  ])('%s at %s', async (name, address, back) => {
    await at.mount(name)
    await at.shown()
    for (const way of ['pushState', 'replaceState'])
      for (const round of [1, 2])
        expect([
          way,
          round,
          await anew(`history.${way}(null, '', ${JSON.stringify(address)}); location.reload()`),
        ]).toEqual([way, round, back])
    expect(await typed('a b')).toBe('a b')
    await at.page.evaluate(() => globalThis.win.detach())
  })

  verifies(
    'window.place',
    'also where the page loads the document again, and where it has a new address',
    async () => {
      await at.mount('one')
      await at.shown()
      await run(`history.pushState(null, '', '/notes/5?x=1#y')`)
      const next = at.page.waitForEvent('requestfinished', (one) => one.url().includes('index.html'))
      await at.page.evaluate(() => globalThis.win.reload())
      await next
      await expect.poll(place).toBe('index.html?x=1#y')
      await at.page.evaluate(() => globalThis.win.detach())
    },
  )

  verifies('window.place', 'also by a step back to an address of a document before it', async () => {
    await at.mount('one')
    await at.shown()
    await run(`history.pushState(null, '', '/a?x=1'); history.pushState(null, '', '/b?x=2')`)
    expect(await anew('location.reload()')).toBe('index.html?x=2')
    expect(await anew('history.back()')).toBe('index.html?x=2')
    expect(await anew('history.back()')).toBe('index.html?')
    await at.page.evaluate(() => globalThis.win.detach())
  })
})

verifies('window.place', 'leaves a text of the app where an app shows it', async () => {
  await at.mount('many')
  await at.shown()
  await run(`location.href = 'notes.txt'`)
  await expect.poll(() => run('document.body.textContent')).toBe('a text of the app')
  await at.page.evaluate(() => globalThis.win.detach())
})
