import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import { expect, onTestFinished } from 'vitest'
import { startHarness } from './harness/harness.ts'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { makeTinyApp } from './testing/tiny-app.ts'

verifies('host.config.base_path', 'the shell signs in and opens an app behind a path', async () => {
  const app = makeTinyApp(await bundledSdk())
  onTestFinished(app.remove)
  const harness = await startHarness({ dirs: [app.dir], host: { basePath: '/tools/svc' } })
  onTestFinished(harness.close)
  const browser = await sharedChromium()
  onTestFinished(() => closePages(browser))
  const page = await browser.newPage()
  const beside: string[] = []
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !pathname.startsWith('/tools/svc')) beside.push(pathname)
  })
  await page.goto(harness.startUrl)
  expect(page.url()).toBe(`${harness.url}/`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Apps' }).getByRole('button', { name: /^Tiny/ }).click()
  const inside = page.getByRole('region', { name: 'Tiny', exact: true }).frameLocator('iframe')
  await inside.getByText('Hello').waitFor()
  await inside.getByRole('button', { name: 'title' }).click()
  await page.getByRole('region', { name: 'Renamed', exact: true }).waitFor()
  expect(beside).toEqual([])
})
