import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Harness, startHarness } from './harness/harness.ts'
import { axeInBoth } from './testing/axe.ts'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { makeTinyApp, type TinyApp } from './testing/tiny-app.ts'

let browser: Browser
let app: TinyApp
let harness: Harness
let page: Page
const loads: string[] = []
const troubles: string[] = []

beforeAll(async () => {
  browser = await sharedChromium()
  app = makeTinyApp(await bundledSdk())
})
afterAll(async () => {
  await closePages(browser)
  app.remove()
})
beforeEach(async () => {
  harness = await startHarness({ dirs: [app.dir] })
  page = await open('light')
})
afterEach(async () => {
  await page.context().close()
  await harness.close()
})

async function open(colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, colorScheme })
  const opened = await context.newPage()
  loads.length = 0
  troubles.length = 0
  opened.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() !== opened.mainFrame()) loads.push(request.url())
  })
  opened.on('pageerror', (error) => troubles.push(error.message))
  await opened.goto(harness.startUrl)
  await opened.getByRole('button', { name: 'Sign in' }).click()
  await launcher(opened).getByRole('button', { name: /^Tiny/ }).waitFor()
  return opened
}

const launcher = (on: Page) => on.getByRole('navigation', { name: 'Apps' })
const taskBar = () => page.getByRole('navigation', { name: 'Windows' })
const windowOf = (name: string) => page.getByRole('region', { name, exact: true })
const gripOf = (name: string) => windowOf(name).getByRole('button', { name, exact: true })
const insideOf = (name: string): FrameLocator => windowOf(name).frameLocator('iframe')
const press = (name: string, button: string) => insideOf(name).getByRole('button', { name: button }).click()

const toast = () => page.getByRole('region', { name: 'New notices' }).getByRole('article')

/** What an element lies over, once it is there, or what of it is beyond the edge of the page. */
async function coveredBy(selector: string): Promise<string[]> {
  let card = document.querySelector(selector)
  while (!card) {
    await new Promise(requestAnimationFrame)
    card = document.querySelector(selector)
  }
  const within = card
  const { left, right, top, bottom } = card.getBoundingClientRect()
  const isOut = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
  const others = [...document.querySelectorAll('iframe, button, input, main, nav, aside')].filter((one) => {
    const box = one.getBoundingClientRect()
    const meets = box.left < right && box.right > left && box.top < bottom && box.bottom > top
    return meets && !within.contains(one)
  })
  return [...(isOut ? ['the edge of the page'] : []), ...others.map((one) => one.outerHTML.slice(0, 120))]
}

async function openTiny(): Promise<Locator> {
  await launcher(page).getByRole('button').first().click()
  await insideOf('Tiny').getByText('Hello').waitFor()
  return windowOf('Tiny')
}

async function boxOf(name: string) {
  const box = await windowOf(name).boundingBox()
  if (!box) throw new Error(`${name} is not to be seen`)
  return box
}

async function drag(from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2)
  await page.mouse.move(from.x + by.x, from.y + by.y)
  await page.mouse.up()
}

const hostWidth = () =>
  page.evaluate(async () => {
    const answer = await fetch('/api/v1/svc-apps/windows')
    return ((await answer.json()) as { windows: { geometry: { w: number } }[] }).windows[0]?.geometry.w
  })

const frontTitle = () => page.locator('[data-window][data-front]').getAttribute('aria-label')

verifies(
  ['wall.page.frame_src', 'shell.own_sites'],
  'frames the bundle folder only, and runs no script but its own',
  async () => {
    const policyFor = async (agent: string) => {
      const { headers } = await fetch(harness.url, { headers: { 'user-agent': agent } })
      return headers.get('content-security-policy') ?? ''
    }
    const policy = await policyFor('Version/19.0 Safari/605.1.15')
    expect(policy).toContain(`frame-src ${harness.url}/api/v1/svc-apps/bundles/;`)
    const apps = `http://*.localhost:${new URL(harness.url).port}`
    expect(await policyFor('Firefox/153.0')).toContain(`frame-src ${apps}/api/v1/svc-apps/bundles/;`)
    expect(policy).not.toMatch(/script-src[^;]*unsafe|unsafe-eval/)
    expect(policy).toMatch(/(default|script)-src 'self'/)
  },
)

it('opens a window once, in its size, and moves it without loading it again', async () => {
  await openTiny()
  expect(loads).toHaveLength(1)
  const before = await boxOf('Tiny')
  expect([before.width, before.height]).toEqual([420, 340])

  await drag({ x: before.x + 120, y: before.y + 20 }, { x: 200, y: 90 })
  const moved = await boxOf('Tiny')
  expect([moved.x - before.x, moved.y - before.y]).toEqual([200, 90])

  await gripOf('Tiny').focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Alt+ArrowDown')
  const nudged = await boxOf('Tiny')
  expect([nudged.x - moved.x, nudged.y - moved.y]).toEqual([-16, 1])
  expect(loads).toHaveLength(1)
  expect(troubles).toEqual([])
})

it('resizes a window by edge, corner and keys, within the bounds of its view', async () => {
  await openTiny()
  const { x, y, width, height } = await boxOf('Tiny')
  await drag({ x: x + width, y: y + height }, { x: 60, y: 40 })
  const box = () => expect.poll(() => boxOf('Tiny'))
  await box().toMatchObject({ x, y, width: 480, height: 380 })
  await drag({ x: x + 480, y: y + 190 }, { x: 900, y: 0 })
  await box().toMatchObject({ x, width: 600 })
  await drag({ x: x + 600, y: y + 190 }, { x: -900, y: 0 })
  await box().toMatchObject({ x, width: 240 })
  await gripOf('Tiny').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await box().toMatchObject({ x, width: 256 })
  // The host takes the size of the page and that of the app in the order in which they come.
  await expect.poll(hostWidth).toBe(256)
  await press('Tiny', 'grow')
  await box().toMatchObject({ width: 500, height: 400 })
})

it('opens a second view beside the first, and raises what is clicked, in the document too', async () => {
  await openTiny()
  await press('Tiny', 'second')
  await insideOf('Second').getByText('Hello').waitFor()
  const [tiny, second] = [await boxOf('Tiny'), await boxOf('Second')]
  expect(second.x).toBe(tiny.x + tiny.width + 16)
  await expect.poll(frontTitle).toBe('Second')
  await expect.poll(() => insideOf('Second').locator('#context').textContent()).toBe('light focused')

  await insideOf('Tiny').getByText('Hello').click()
  await expect.poll(frontTitle).toBe('Tiny')
  await insideOf('Second').getByText('Hello').click()
  await expect.poll(frontTitle).toBe('Second')
  await taskBar().getByRole('button', { name: 'Tiny' }).click()
  await expect.poll(frontTitle).toBe('Tiny')
  await expect.poll(() => insideOf('Second').locator('#context').textContent()).toBe('light')
  expect(loads).toHaveLength(2)
})

it('shows a new title, and closes by the button, by the bundle, and not against its wish', async () => {
  await openTiny()
  await press('Tiny', 'title')
  await windowOf('Renamed').waitFor()
  await press('Renamed', 'stay')
  await page.getByRole('button', { name: 'Close Renamed' }).click()
  await page.getByText('Renamed asks to stay open').first().waitFor()
  expect(await windowOf('Renamed').count()).toBe(1)
  await press('Renamed', 'leave')
  await expect.poll(() => windowOf('Renamed').count()).toBe(0)

  await openTiny()
  await page.getByRole('button', { name: 'Close Tiny' }).click()
  await expect.poll(() => windowOf('Tiny').count()).toBe(0)
  await page.getByText('Nothing is open').waitFor()
})

verifies(
  'text.title',
  'shows a title without what nobody sees in it, and says in the tab whose words it is',
  async () => {
    await openTiny()
    await expect.poll(() => page.title()).toBe('App “Tiny” · svc')
    await press('Tiny', 'hidden')
    await windowOf('Sign in again:').waitFor()
    expect(await windowOf('Sign in again:').locator('bdi').first().textContent()).toBe('Sign in again:')
    await expect.poll(() => page.title()).toBe('App “Tiny”: “Sign in again:” · svc')
  },
)

it('closes a window against the wish of its bundle on a second press', async () => {
  await openTiny()
  await press('Tiny', 'stay')
  await page.getByRole('button', { name: 'Close Tiny' }).click()
  await page.getByText('Tiny asks to stay open').first().waitFor()
  await page.getByRole('button', { name: 'Close anyway' }).first().waitFor()
  await page.getByRole('button', { name: 'Close Tiny' }).click()
  await expect.poll(() => windowOf('Tiny').count()).toBe(0)
})

/** What has the keyboard: the title of the window whose iframe it is, or the name of a control of the page. */
const typedInto = () =>
  page.evaluate<string | null>(
    `(document.activeElement.matches('iframe') ? document.activeElement.closest('[data-window]') : document.activeElement).getAttribute('aria-label')`,
  )

it('lets a bundle raise its window, but take the keyboard from nobody who types', async () => {
  await openTiny()
  const tiny = page.frames().at(-1)
  await launcher(page).getByRole('button', { name: 'Second' }).click()
  await press('Second', 'title')
  await windowOf('Renamed').waitFor()
  expect(await frontTitle()).toBe('Renamed')
  await tiny?.evaluate('raise()')
  await expect.poll(frontTitle).toBe('Tiny')
  expect(await typedInto()).toBe('Renamed')
})

it('gives the keyboard back that a minimised window takes, and does not load it again', async () => {
  await openTiny()
  await page.getByRole('button', { name: 'Minimise Tiny' }).click()
  await page.getByRole('button', { name: /^Notices/ }).focus()
  await page.frames().at(-1)?.evaluate('grab()')
  await taskBar().getByRole('button', { name: 'Grabbed' }).waitFor()
  await expect.poll(typedInto).toMatch(/^Notices/)
  expect(await page.locator('[data-window][data-minimised]').count()).toBe(1)
  await taskBar().getByRole('button', { name: 'Grabbed' }).click()
  await insideOf('Grabbed').getByText('Hello').waitFor()
  expect(loads).toHaveLength(1)
})

it('puts every window back after a reload of the page: place, size, order, minimised', async () => {
  await openTiny()
  await press('Tiny', 'second')
  await insideOf('Second').getByText('Hello').waitFor()
  const from = await boxOf('Tiny')
  await drag({ x: from.x + 120, y: from.y + 20 }, { x: 30, y: 200 })
  const tiny = await boxOf('Tiny')
  await drag({ x: tiny.x + tiny.width, y: tiny.y + tiny.height }, { x: 40, y: 20 })
  const sized = await boxOf('Tiny')
  await expect
    .poll(async () => (await harness.host.windows.list('dev'))[0]?.geometry)
    .toMatchObject({ w: 460, h: 320 })
  await page.getByRole('button', { name: 'Minimise Second' }).click()

  loads.length = 0
  await page.reload()
  await insideOf('Tiny').getByText('Hello').waitFor()
  expect(await boxOf('Tiny')).toEqual(sized)
  expect(await windowOf('Second').isVisible()).toBe(false)
  await taskBar().getByRole('button', { name: 'Second' }).click()
  await expect.poll(() => windowOf('Second').isVisible()).toBe(true)
  expect(loads).toHaveLength(2)
})

it('shows what the host refused, what a bundle reported, and a card as text', async () => {
  await openTiny()
  await press('Tiny', 'refused')
  const notices = page.getByRole('button', { name: 'Notices, 1 new' })
  await notices.waitFor()
  expect(await toast().count()).toBe(0)
  await press('Tiny', 'report')
  await toast().getByText('a lamp broke').waitFor()
  await toast().getByRole('button', { name: 'Dismiss' }).click()
  await toast().waitFor({ state: 'detached' })

  await press('Tiny', 'card')
  await page.getByRole('button', { name: /^Notices/ }).click()
  const list = page.getByRole('complementary', { name: 'Notices' })
  await list.getByText('a lamp broke').waitFor()
  const refused = list.getByRole('article', { name: /^permission_denied/ })
  await refused.getByText('storage.list is not allowed').waitFor()
  await refused
    .getByText(/ui\.host_api\.storage/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: /^Chat/ }).click()
  await page.getByRole('complementary', { name: 'Chat' }).getByText('<b>bold</b>').waitFor()
})

it.each([
  [1_280, false],
  [1_280, true],
  [800, false],
  [390, false],
  [390, true],
])(
  'has its cards over nothing that can be pressed, at a width of %d (Manage: %o)',
  async (width, manages) => {
    await page.setViewportSize({ width, height: 760 })
    await openTiny()
    if (manages) {
      if (width < 760) await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole(width < 760 ? 'menuitem' : 'button', { name: /^Manage/ }).click()
      await page.getByRole('heading', { name: 'Manage' }).waitFor()
    }
    // A card goes by itself: it is looked at as it comes.
    const covered = page.evaluate(coveredBy, '#new-notices article')
    await page.frames().at(-1)?.evaluate(`document.querySelectorAll('button')[4].click()`)
    expect(await covered).toEqual([])
  },
)

it('shows an edit in the window that is open', async () => {
  await harness.close()
  harness = await startHarness({ dirs: [app.dir], watch: true })
  await page.context().close()
  page = await open('light')
  await openTiny()
  app.greet('Changed')
  try {
    await insideOf('Tiny').getByText('Changed').waitFor()
  } finally {
    app.greet('Hello')
  }
})

it('says that the host is gone, and offers to open the windows of a new one again', async () => {
  await openTiny()
  const before = await boxOf('Tiny')
  const port = Number(new URL(harness.url).port)
  const startToken = harness.host.startToken ?? ''
  await harness.close()
  await page.getByText('The host does not respond; trying again').first().waitFor()
  harness = await startHarness({ dirs: [app.dir], port, host: { startToken } })
  await page.getByRole('button', { name: 'Open it again' }).click()
  await expect.poll(() => page.getByText('does not know').count()).toBe(0)
  await insideOf('Tiny').getByText('Hello').waitFor()
  expect(await boxOf('Tiny')).toEqual(before)
})

it('leaves axe nothing to find in light and in dark', async () => {
  await page.context().close()
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  page = await context.newPage()
  await page.goto(harness.startUrl)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await axeInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await launcher(page).getByRole('button').first().waitFor()
  expect(await axeInBoth(page)).toEqual([])
  await openTiny()
  await press('Tiny', 'second')
  await press('Tiny', 'refused')
  await press('Tiny', 'card')
  await press('Tiny', 'report')
  await toast().waitFor()
  expect(await axeInBoth(page)).toEqual([])
  await page.getByRole('button', { name: /^Notices/ }).click()
  expect(await axeInBoth(page)).toEqual([])
  await page.getByRole('button', { name: /^Chat/ }).click()
  expect(await axeInBoth(page)).toEqual([])
  await page.setViewportSize({ width: 400, height: 760 })
  expect(await axeInBoth(page)).toEqual([])
})
