import { launchChromium } from '@svc/conformance/chromium'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from './harness/harness.ts'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { type JobApp, makeJobApp } from './testing/job-app.ts'

// The rules of both panels are those of packages/shell/src/panels/*.dom.test.ts; here they are with a host.
let browser: Browser
let sdk: string
let app: JobApp
let harness: Harness
let page: Page

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
  await opened.goto(harness.startUrl)
  await opened.getByRole('button', { name: 'Sign in' }).click()
  await opened.getByRole('navigation', { name: 'Apps' }).getByRole('button').first().click()
  return opened
}

const press = (name: string) =>
  page
    .getByRole('region', { name: 'Walks', exact: true })
    .frameLocator('iframe')
    .getByRole('button', { name })
    .click()

describe('the panel of jobs', () => {
  const panel = () => page.getByRole('complementary', { name: 'Jobs' })
  const bar = () => panel().getByRole('progressbar', { name: 'Progress of walk of Walks (by hand)' })
  const seen = (text: string) => panel().getByText(text).first().waitFor()
  beforeEach(() => page.getByRole('button', { name: 'Jobs' }).click())

  it('goes on without a window of the app', async () => {
    await press('walk')
    await bar().waitFor()
    await page.getByRole('button', { name: 'Close Walks' }).click()
    await page.getByText('Nothing is open').waitFor()
    app.walkTo(5)
    await seen('5 of 10')
  })

  it('leaves no bar of a host that is gone, and forgets what its successor never knew', async () => {
    await press('walk')
    app.walkTo(2)
    await seen('2 of 10')
    const port = Number(new URL(harness.url).port)
    await harness.close()
    await seen('Last update at')
    expect(await bar().count()).toBe(0)
    harness = await serve(port)
    await seen('No job yet')
  })
})

describe('the panel of sessions', () => {
  /** Sooner than the panel asks by itself: who sees a change within it has been told. */
  const TOLD_MS = 5_000
  const panel = () => page.getByRole('complementary', { name: 'Sessions' })
  const look = () => page.getByRole('button', { name: 'Sessions', exact: true }).click()
  const talk = () => press('talk')
  const seen = (text: string) => panel().getByText(text).first().waitFor({ timeout: TOLD_MS })

  it('asks the host nothing while it is shut', async () => {
    await talk()
    await look()
    await seen('at work')
    await page.getByRole('button', { name: 'Close Sessions' }).click()
    await panel().waitFor({ state: 'detached' })
    const asked: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/v1/svc-apps/sessions') asked.push(request.url())
    })
    app.walkTo(10)
    await expect.poll(async () => (await harness.host.sessions.list('dev'))[0]?.active_runs).toBe(0)
    expect(asked).toEqual([])
  })

  it('says that a host is gone, and forgets what its successor never knew', async () => {
    await look()
    await talk()
    await seen('at work')
    const port = Number(new URL(harness.url).port)
    await harness.close()
    await seen('Last update at')
    expect(await panel().locator('dl').count()).toBe(0)
    harness = await serve(port)
    await panel().getByText('No session is open').waitFor()
  })

  it('asks a host that failed again when the user wants it', async () => {
    await look()
    await seen('No session is open')
    // Shut, it keeps nothing; what its window brought to be read has been read, so nothing but the user asks again.
    await look()
    await page.route('**/api/v1/svc-apps/sessions?*', (route) =>
      route.fulfill({ status: 502, body: '<h1>Bad</h1>' }),
    )
    await look()
    await seen('The sessions could not be loaded: the host could not be reached: it answered HTTP 502')
    await page.unrouteAll({ behavior: 'wait' })
    await panel().getByRole('button', { name: 'Try again' }).click()
    await seen('No session is open')
  })
})
