import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openPageAt, openRealPage, type RealPage } from './testing/real-page.ts'
import { canSwap, swaps } from './testing/swaps.ts'
import { verifies } from './verifies.ts'

type Target = readonly [url: string, owner: string]

let browser: Browser
let at: RealPage
/** A window of an app that another user opened on no page, as the author of an app could: its URL, and its uuid. */
let bank: Target

/** What it says when it runs differs, so that each document is told apart. */
const script = `import { svc } from '@svc/sdk'; ${canSwap}
  parent.postMessage({ note: document.title }, '*'); svc.ready`

beforeAll(async () => {
  browser = await sharedChromium()
  const files = {
    'more.html': '<!doctype html><title>more</title><script src="app.js"></script>',
    'name.js': 'var name = new URL(document.currentScript.src).search.slice(1)',
    'own-name.js': `const name = 'own'; parent.postMessage({ note: name }, '*')`,
  }
  at = await openRealPage(browser, {
    app: { script, files },
    bank: { script, files },
    pages: { script, files, bundle: { multi_page: true } },
  })
  await at.page.evaluate(() => {
    addEventListener('message', ({ data }) => globalThis.noted.push(data.note ?? data))
  })
  bank = await ticketed('bank')
})
afterEach(() =>
  at.page.evaluate(async () => {
    for (const win of globalThis.bridge.windows) await win.close(undefined, { force: true })
  }),
)
afterAll(async () => {
  await at.close()
  await closePages(browser)
})

async function ticketed(app: string, user = 'eve'): Promise<Target> {
  const { page, context } = await openPageAt(browser, at.url, undefined, user)
  const opened = await page.evaluate(async (wanted) => {
    const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
    const { app_id } = installs.find((one: { name: string }) => one.name === wanted)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ app_id })
    return await (await fetch('/api/v1/svc-apps/windows', { method: 'POST', headers, body })).json()
  }, app)
  await context.close()
  return [new URL(opened.entry_url, at.url).href, opened.window_uuid]
}

/** Opens a window of an app, whose page notes what is said and closed from then on. */
async function mount(app = 'app'): Promise<void> {
  await at.mount(app)
  await at.page.evaluate(() => {
    globalThis.noted.length = 0
    const { win } = globalThis
    win.on('closed', ({ reason, error }) => globalThis.noted.push([reason === error?.message, error?.code]))
  })
}

/** Lets the app in the window do something with a target. */
const act = (body: string, target: Target) =>
  at.frame().evaluate(`void setTimeout(() => ((url, owner) => { ${body} })(...${JSON.stringify(target)}))`)

const why = 'was led to the document of another window'
/** All that a page then hears: the message, the error, and that the window is closed with it. */
const end = [{ svc: 'stray' }, expect.stringContaining(why), [true, 'permission_denied']]

describe('a document in the frame of another window', () => {
  verifies.each('wall.bundle.frame')(Object.entries(swaps))(
    '%s: runs nothing, and the window is closed',
    async (_, body) => {
      await mount()
      await act(body, bank)
      expect(await at.notes(3)).toEqual(end)
      expect(await at.page.locator('iframe').count()).toBe(0)
    },
  )

  verifies.each('wall.bundle.frame')([
    ['a page of an app with several', () => ticketed('pages')],
    ['the same, and not its entry', async () => rest('more.html', await ticketed('pages'))],
    ['another window of the same app', () => ticketed('app')],
    ['another window of the same user', () => ticketed('app', 'ada')],
  ] as const)('%s: runs nothing', async (_, make) => {
    await mount()
    await act('location = url', await make())
    expect(await at.notes(3)).toEqual(end)
  })

  verifies(
    'wall.bundle.frame',
    'runs nothing on a page that listens to no errors, and is told as one of the page',
    async () => {
      await mount()
      await at.page.evaluate(async () => {
        addEventListener('error', ({ error }) => globalThis.noted.push(error.code), { once: true })
        const { appId } = globalThis.win
        globalThis.win = await globalThis.bridgeApi.createBridge().mountWindow({ into: document.body, appId })
        globalThis.win.on('closed', ({ error }) => globalThis.noted.push(error?.code))
      })
      await at.frame().waitForFunction(() => 'ways' in globalThis)
      await at.page.evaluate(() => void globalThis.noted.splice(0))
      await act('location = url', bank)
      expect(await at.notes(3)).toEqual([{ svc: 'stray' }, 'permission_denied', 'permission_denied'])
    },
  )
})

const rest = (page: string, [url, owner]: Target): Target => [new URL(page, url).href, owner]

describe('a frame that is to get another name', () => {
  // What would run there could name it, and go on.
  const next = `<script>name = owner; location = url</script>`
  verifies.each('wall.bundle.frame')([
    ['a data URL', `location = 'data:text/html,' + encodeURIComponent(text)`],
    ['a blob', `location = URL.createObjectURL(new Blob([text], { type: 'text/html' }))`],
    ['a blank page', `location = 'about:blank'`],
    ['the source of a frame', `location = 'about:srcdoc'`],
  ])('%s: nothing runs there', async (_, body) => {
    await mount()
    await act(
      `const text = ${JSON.stringify(next)}.replace('owner', JSON.stringify(owner)).replace('url', JSON.stringify(url)); ${body}`,
      bank,
    )
    await expect.poll(() => at.frame().url()).toMatch(/^(chrome-error|about):/)
    expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])
  })
})

describe('a document in the frame of its window', () => {
  verifies.each('wall.bundle.frame')([
    ['that reloads itself', 'location.reload()', 'app'],
    ['that goes to its own address', 'location = location.href', 'app'],
    ['of the next page of its app', `location = 'more.html'`, 'pages'],
    ['that its page reloads', '', 'app'],
  ])('%s runs', async (_, body, app) => {
    await mount(app)
    if (body) await act(body, bank)
    else await at.page.evaluate(() => globalThis.win.reload())
    await expect
      .poll(() => at.page.evaluate(() => globalThis.noted))
      .toContain(body.includes('more') ? 'more' : app)
    await expect.poll(() => at.page.evaluate(() => globalThis.win.connected)).toBe(true)
  })

  test('may use the word name for what it likes', async () => {
    await mount()
    await at
      .frame()
      .evaluate(
        `void document.head.append(Object.assign(document.createElement('script'), { src: 'own-name.js' }))`,
      )
    expect(await at.notes(1)).toEqual(['own'])
  })
})
