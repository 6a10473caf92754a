import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Harness, startHarness } from '../harness/harness.ts'
import { bundledSdk } from './bundled-sdk.ts'
import { type JobApp, makeJobApp } from './job-app.ts'

/** The shell with the app of jobs, signed in to, with a window of the app open. */
export interface JobShell {
  readonly app: JobApp
  readonly harness: Harness
  readonly page: Page
  /** What its page threw and nothing caught. */
  readonly troubles: readonly string[]
  /** Presses a button of the app. */
  press(name: string): Promise<void>
  /** Ends the host; call what it returns for one that knows nothing of what was, at the same address. */
  end(): Promise<() => Promise<void>>
}

/** Gives each test of a file a shell of its own, all in one Chromium. */
export function jobShells(): () => JobShell {
  let browser: Browser
  let app: JobApp
  let harness: Harness
  let page: Page
  let troubles: string[]
  const serve = (port = 0) =>
    startHarness({ dirs: [app.dir], port, host: { plugins: [app.plugin], startToken: TEST_START_TOKEN } })
  beforeAll(async () => {
    browser = await sharedChromium()
  })
  afterAll(() => closePages(browser))
  beforeEach(async () => {
    app = makeJobApp(await bundledSdk())
    harness = await serve()
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 } })
    troubles = []
    page.on('pageerror', (error) => troubles.push(error.message))
    await page.goto(harness.startUrl)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Apps' }).getByRole('button').first().click()
  })
  afterEach(async () => {
    await page.context().close()
    await harness.close()
    app.remove()
  })
  return () => ({
    app,
    harness,
    page,
    troubles,
    press: (name) =>
      page
        .getByRole('region', { name: 'Walks', exact: true })
        .frameLocator('iframe')
        .getByRole('button', { name })
        .click(),
    async end() {
      const port = Number(new URL(harness.url).port)
      await harness.close()
      return async () => {
        harness = await serve(port)
      }
    },
  })
}
