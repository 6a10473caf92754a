import { launchChromium } from '@svc/conformance/chromium'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Harness, startHarness } from './harness/harness.ts'
import { axeInBoth } from './testing/axe.ts'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { type JobApp, makeJobApp } from './testing/job-app.ts'

/** Sooner than the panel asks by itself: who sees a change within it has been told. */
const TOLD_MS = 5_000

let browser: Browser
let sdk: string
let app: JobApp
let harness: Harness
let page: Page
const troubles: string[] = []

beforeAll(async () => {
  browser = await launchChromium()
  sdk = await bundledSdk()
})
afterAll(() => browser.close())
beforeEach(async () => {
  app = makeJobApp(sdk)
  harness = await serve()
  page = await open()
})
afterEach(async () => {
  await page.context().close()
  await harness.close()
  app.remove()
})

const serve = (port = 0) =>
  startHarness({ dirs: [app.dir], port, host: { plugins: [app.plugin], startToken: TEST_START_TOKEN } })

/** Opens the page with a window of the app. */
async function open(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  const opened = await context.newPage()
  troubles.length = 0
  opened.on('pageerror', (error) => troubles.push(error.message))
  await opened.goto(harness.startUrl)
  await opened.getByRole('button', { name: 'Sign in' }).click()
  await opened.getByRole('navigation', { name: 'Apps' }).getByRole('button').first().click()
  return opened
}

const panel = () => page.getByRole('complementary', { name: 'Sessions' })
const sessions = (name: 'Active' | 'Ended') => panel().getByRole('region', { name: `${name} sessions` })
const look = () => page.getByRole('button', { name: 'Sessions', exact: true }).click()
const talk = () =>
  page
    .getByRole('region', { name: 'Walks', exact: true })
    .frameLocator('iframe')
    .getByRole('button', { name: 'talk' })
    .click()
const seen = (text: string) => panel().getByText(text).first().waitFor({ timeout: TOLD_MS })
const left = (name: string) => panel().locator('dl > div', { hasText: name }).locator('dd').textContent()

it('shows a session from its first run on, over a reload of the page, with what it has left', async () => {
  await look()
  await seen('No session is open')
  await talk()
  await seen('a talk')
  await seen('Walks · agent')
  await seen('1 run under way')
  expect([await left('Idle window'), await left('Lifetime')]).toEqual(['held open', expect.any(String)])
  await page.getByRole('status').getByText('a talk of Walks is at work').waitFor()

  await page.reload()
  await look()
  await seen('at work')
  app.walkTo(10)
  await seen('ready')
  await seen('0 runs under way')
  expect(await left('Idle window')).toMatch(/^(30|29) min$/)
  await expect.poll(() => left('Lifetime')).toBe('23 h 59 min')
  expect(troubles).toEqual([])
})

it('ends a session by the keyboard alone, and its run with it', async () => {
  await talk()
  await page.getByRole('button', { name: 'Sessions', exact: true }).focus()
  await page.keyboard.press('Enter')
  await seen('at work')
  // From the list over the switch to the button.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await seen('Its 1 run under way will be cancelled.')
  await page.keyboard.press('Escape')
  expect(await sessions('Active').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await seen('No session is open')
  await page.getByRole('status').getByText('a talk of Walks has ended').waitFor()
  expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Sessions list')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await sessions('Ended').getByText('a talk').waitFor()
  const [session] = await harness.host.sessions.list('dev', { includeExpired: true })
  expect(session).toMatchObject({ state: 'revoked', active_runs: 0 })
})

it('leaves axe nothing to find in light and in dark', async () => {
  await look()
  await seen('No session is open')
  expect(await axeInBoth(page)).toEqual([])
  await talk()
  await seen('at work')
  await panel().getByRole('button', { name: 'End a talk of Walks' }).click()
  expect(await axeInBoth(page)).toEqual([])
  await panel().getByRole('button', { name: 'End the session' }).click()
  await panel().getByRole('switch', { name: 'Show ended sessions' }).click()
  await sessions('Ended').waitFor()
  await talk()
  app.walkTo(10)
  await seen('ready')
  expect(await axeInBoth(page)).toEqual([])
  await page.setViewportSize({ width: 400, height: 760 })
  expect(await axeInBoth(page)).toEqual([])
})
