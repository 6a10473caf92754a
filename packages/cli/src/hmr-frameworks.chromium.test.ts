import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { startHarness } from './harness/harness.ts'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { frameworkApps, useFramework } from './testing/framework-app.ts'
import { makeTinyApp } from './testing/tiny-app.ts'
import { appsOf, insideOf, windowOf } from './testing/tiny-shell.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))

verifies.each('hmr.frameworks')(frameworkApps.map((framework) => [framework.name, framework] as const))(
  'keeps the state of a component of %s over an edit, and shows what is wrong with one',
  async (_, framework) => {
    const app = makeTinyApp(await bundledSdk())
    useFramework(app, framework)
    const save = (label: string) => app.put(framework.component, framework.text(label))
    const harness = await startHarness({ dirs: [app.dir], watch: true })
    const page = await (await browser.newContext()).newPage()
    try {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(harness.startUrl)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await appsOf(page).getByRole('button', { name: /^Tiny/ }).click()
      const inside = insideOf(page, 'Tiny')
      await inside.getByRole('button', { name: 'one 0' }).click()
      await inside.getByRole('button', { name: 'one 1' }).waitFor()
      save('two')
      await inside.getByRole('button', { name: 'two 1' }).waitFor()

      app.put(framework.component, framework.text('bad').replace('import {', 'import {{'))
      const notice = windowOf(page, 'Tiny').getByRole('alert')
      await notice.getByText(`${framework.component}:`).waitFor()
      await inside.getByRole('button', { name: 'two 1' }).waitFor()
      save('three')
      await inside.getByRole('button', { name: 'three 1' }).waitFor()
      await expect.poll(() => notice.count()).toBe(0)
      expect(errors).toEqual([])
    } finally {
      await page.context().close()
      await harness.close()
      app.remove()
    }
  },
)
