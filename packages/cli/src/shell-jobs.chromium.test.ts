import { launchChromium } from '@svc/conformance/chromium'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Harness, startHarness } from './harness/harness.ts'
import { axeInBoth } from './testing/axe.ts'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { type JobApp, makeJobApp } from './testing/job-app.ts'

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

/** Opens the page with a window of the app and the panel of jobs. */
async function open(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  const opened = await context.newPage()
  troubles.length = 0
  opened.on('pageerror', (error) => troubles.push(error.message))
  await opened.goto(harness.startUrl)
  await opened.getByRole('button', { name: 'Sign in' }).click()
  await opened.getByRole('navigation', { name: 'Apps' }).getByRole('button').first().click()
  await opened.getByRole('button', { name: 'Jobs' }).click()
  return opened
}

const panel = () => page.getByRole('complementary', { name: 'Jobs' })
const jobs = (name: 'Active' | 'Ended') => panel().getByRole('region', { name: `${name} jobs` })
const bar = () => panel().getByRole('progressbar', { name: 'Progress of walk of Walks (by hand)' })
const start = (method: 'walk' | 'trip') =>
  page
    .getByRole('region', { name: 'Walks', exact: true })
    .frameLocator('iframe')
    .getByRole('button', { name: method })
    .click()
const seen = (text: string) => panel().getByText(text).first().waitFor()

it('shows how far a job has come, over a reload of the page, and its result', async () => {
  await seen('No job yet')
  await start('walk')
  await bar().waitFor()
  app.walkTo(3)
  await seen('3 of 10')
  await page.getByRole('button', { name: 'Jobs, 1 active' }).waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'Jobs, 1 active' }).click()
  await seen('3 of 10')
  app.walkTo(7)
  await expect.poll(() => bar().getAttribute('aria-valuenow')).toBe('70')
  await seen('at step 7')

  app.walkTo(10)
  await jobs('Ended').getByText('"walked": 10').waitFor()
  await seen('by hand')
  expect(await jobs('Active').count()).toBe(0)
  expect(troubles).toEqual([])
})

it('cancels a job with a reason by the keyboard alone', async () => {
  await start('walk')
  await bar().waitFor()
  // The panel gives the keyboard back to its button, whose next press leads past the windows into the list.
  await page.getByRole('button', { name: 'Close Jobs' }).focus()
  await page.keyboard.press('Enter')
  await panel().waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await panel().waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.type('the wrong way')
  await page.keyboard.press('Escape')
  expect(await jobs('Active').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await jobs('Ended').getByText('the wrong way').waitFor()
  await jobs('Ended').getByText('cancelled').first().waitFor()
  await page.getByRole('status').getByText('walk of Walks (by hand) was cancelled').waitFor()
  expect(await page.evaluate(`document.activeElement.textContent`)).toBe('walk')
})

it('leaves axe nothing to find in light and in dark', async () => {
  await start('trip')
  await seen('tool_failed')
  await seen('the rope broke')
  await start('walk')
  app.walkTo(4)
  await seen('4 of 10')
  expect(await axeInBoth(page)).toEqual([])
  await panel().getByRole('button', { name: 'Cancel walk of Walks (by hand)' }).click()
  expect(await axeInBoth(page)).toEqual([])
  await page.setViewportSize({ width: 400, height: 760 })
  expect(await axeInBoth(page)).toEqual([])
})
