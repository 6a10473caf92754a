import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { axeFindings } from './testing/axe.ts'
import { appsOf, insideOf, tinyShells, windowOf } from './testing/tiny-shell.ts'

const shell = tinyShells({ watch: true })

verifies(
  'shell.builds',
  'shows in the window of an app why its build failed, also after a reload, until a good one',
  async () => {
    const { page, troubles } = await shell().open()
    await appsOf(page).getByRole('button', { name: /^Tiny/ }).click()
    await insideOf(page, 'Tiny').getByText('Hello').waitFor()
    const notice = windowOf(page, 'Tiny').getByRole('alert')

    shell().app.put('greeting.js', 'export const greeting = {{\n')
    await notice.getByText('The last build failed').waitFor()
    await notice.getByText('greeting.js:1').waitFor()
    await notice.getByText('Unexpected token').waitFor()
    await insideOf(page, 'Tiny').getByText('Hello').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.reload()
    await notice.getByText('greeting.js:1').waitFor()
    await insideOf(page, 'Tiny').getByText('Hello').waitFor()

    // A window that is opened only now shows it too, over what was good last; the same text as before is good again.
    await appsOf(page)
      .getByRole('button', { name: /^Second/ })
      .click()
    await windowOf(page, 'Second').getByRole('alert').waitFor()
    await insideOf(page, 'Second').getByText('Hello').waitFor()
    shell().app.greet('Hello')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(troubles).toEqual([])
  },
)
