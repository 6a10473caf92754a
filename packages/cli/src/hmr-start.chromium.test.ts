import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Harness, startHarness } from './harness/harness.ts'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { makeTinyApp, type TinyApp } from './testing/tiny-app.ts'
import { appsOf, insideOf, windowOf } from './testing/tiny-shell.ts'

let browser: Browser
let app: TinyApp
let harness: Harness | undefined
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
beforeEach(async () => {
  app = makeTinyApp(await bundledSdk())
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  await harness?.close()
  harness = undefined
  app.remove()
})

/** Starts the app, with some of its files written before, and opens its window. */
async function startWith(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) app.put(name, text)
  harness = await startHarness({ dirs: [app.dir], watch: true, writeLog: () => undefined })
  const page = await (await browser.newContext()).newPage()
  await page.goto(harness.startUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await appsOf(page).getByRole('button', { name: /^Tiny/ }).click()
  return { page, inside: insideOf(page, 'Tiny'), notice: windowOf(page, 'Tiny').getByRole('alert') }
}

verifies(
  'hmr.start',
  'starts an app that cannot be compiled, says why, and loads it by itself once it can be',
  async () => {
    const { inside, notice } = await startWith({ 'greeting.js': 'export const greeting = {{\n' })
    await notice.getByText('greeting.js:1:26').waitFor()
    app.greet('Mended')
    await inside.getByText('Mended').waitFor()
    await expect.poll(() => notice.allTextContents()).toEqual([])
    app.greet('Followed')
    await inside.getByText('Followed').waitFor()
  },
)

const accepting = `import { greeting } from './greeting.js'
import { svc } from './sdk.js'
const show = (text) => { document.getElementById('greeting').textContent = text }
import.meta.hot.accept('./greeting.js', (news) => show(news.greeting))
show(greeting)
await svc.window.ready()
`

verifies('hmr.start', 'loads an app that never ran, also where it accepts what is mended', async () => {
  const { inside, notice } = await startWith({
    'greeting.js': 'export const greeting = {{\n',
    'main.js': accepting,
  })
  await notice.getByText('greeting.js:1:26').waitFor()
  app.greet('Mended')
  await inside.getByText('Mended').waitFor()
})

verifies(
  'hmr.restart',
  'starts Vite again when its configuration is saved, and says what is wrong with one',
  async () => {
    const config = (text: string) => `export default { define: { SHOWN: ${JSON.stringify(`'${text}'`)} } }\n`
    const { page, inside, notice } = await startWith({
      'vite.config.js': config('first'),
      'greeting.js': 'export const greeting = SHOWN\n',
    })
    await inside.getByText('first').waitFor()
    app.put('vite.config.js', `throw new Error('no such plugin')\n`)
    await notice.getByText('no such plugin').waitFor()
    await notice.getByText('vite.config.js').waitFor()
    await inside.getByText('first').waitFor()
    app.put('vite.config.js', config('another'))
    await inside.getByText('another').waitFor()
    await expect.poll(() => notice.allTextContents()).toEqual([])
    app.greet('Followed')
    await inside.getByText('Followed').waitFor()
    const before = page.frames().at(-1)?.url()
    app.put('public/extra.txt', 'more')
    await expect.poll(() => page.frames().at(-1)?.url()).not.toBe(before)
  },
)
