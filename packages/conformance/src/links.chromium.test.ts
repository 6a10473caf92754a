import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { leading, linksApp, SITE, staying, thenAsk } from './testing/links-app.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage
beforeAll(async () => {
  browser = await sharedChromium()
  at = await openRealPage(browser, { links: linksApp })
  await at.mount('links')
  await at.shown()
  await at.page.evaluate(() => globalThis.win.on('open_link', ({ url }) => globalThis.noted.push(url)))
}, 60_000)
afterAll(async () => {
  await at.close()
  await closePages(browser)
})
beforeEach(() =>
  at.page.evaluate(() => {
    globalThis.noted.length = 0
  }),
)

/** Does it, then has the app ask for a page itself: what was told before that has come. */
async function told(way: string): Promise<unknown[]> {
  await at
    .frame()
    .evaluate(`(async () => { document.body.innerHTML = ''; (() => { ${way} })(); ${thenAsk} })()`)
  await expect.poll(() => at.page.evaluate(() => globalThis.noted.includes('tel:1'))).toBe(true)
  return at.page.evaluate(() => globalThis.noted.filter((url) => url !== 'tel:1'))
}

describe('the document stays, and the page is told of', () => {
  verifies.each('wall.bundle.links')(Object.entries(leading))('%s', async (_, way) => {
    expect(await told(way)).toEqual([SITE])
    expect(await at.frame().evaluate('typeof add')).toBe('function')
  })
})

describe('the document stays, and nobody is told of', () => {
  verifies.each('wall.bundle.links')(Object.entries(staying))('%s', async (_, way) => {
    expect(await told(way)).toEqual([])
    expect(await at.frame().evaluate('typeof add')).toBe('function')
  })
})

verifies.each('window.open_link.url')([
  ['https://Site.test', 'https://site.test/'],
  ['mailto:a@b.test', 'mailto:a@b.test'],
  ['javascript:alert(1)', 'invalid_arg'],
  ['/path', 'invalid_arg'],
  ['ftp://site.test', 'invalid_arg'],
])('%s is opened as %s', async (url, result) => {
  const call = `svc.window.open_link({ url: ${JSON.stringify(url)} }).then((made) => made.url, (error) => error.code)`
  expect(await at.frame().evaluate(call)).toBe(result)
})
