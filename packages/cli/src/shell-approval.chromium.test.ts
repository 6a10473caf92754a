import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { bedOf, hasKeyboard, type ManageStory, openStory } from './testing/manage-story.ts'

let browser: Browser
let sdk: string
let story: ManageStory
let at: ReturnType<typeof bedOf>

beforeAll(async () => {
  browser = await sharedChromium()
  sdk = await bundledSdk()
})
afterAll(() => closePages(browser))
beforeEach(async () => {
  story = await openStory(browser, sdk, { destructive: true })
  at = bedOf(story.page)
  const { host } = story.harness
  const tools = [{ name: 'forecast', description: 'Says it.', destructive: true }]
  const plug = { name: 'Weather', type: 'tool', visibility: 'private', manifest: { name: 'weather', tools } }
  const distribution = { type: 'local', path: story.app.script }
  await at.button('Sign in').click()
  await at.button('Manage').waitFor()
  const { tool_id } = await host.publishing.create('dev', { ...plug, distribution })
  story.app.declare(tool_id)
  await host.apps.reload(story.app.dir)
  await story.page.getByRole('navigation', { name: 'Apps' }).getByRole('button', { name: /Sky/ }).click()
})
afterEach(() => story.close())

const sky = () => story.page.getByRole('region', { name: 'Sky', exact: true }).frameLocator('iframe')
const ask = () => sky().getByRole('button', { name: 'Ask' }).click()
const question = () => story.page.getByRole('alertdialog', { name: 'Sky asks for your yes' })
async function say(name: string): Promise<void> {
  const button = question().getByRole('button', { name, exact: true })
  // It waits until a click would be taken.
  await button.click({ trial: true })
  await at.pressKey(button)
}

verifies('approval.shell', 'is asked, answered and asked again by the keyboard alone', async () => {
  await ask()
  await question().waitFor()
  expect(await question().textContent()).toContain('Let Sky use forecast of the plugin Weather?')
  expect(await question().textContent()).toContain('"place": "Zürich"')
  expect(await hasKeyboard(question())).toBe(true)
  expect(await at.findings()).toEqual([])
  // Whatever is asked, the window that asks can be closed.
  for (const width of [1_280, 1_000, 780, 390]) {
    await story.page.setViewportSize({ width, height: 760 })
    await at.button('Close Sky').click({ trial: true })
  }
  await story.page.setViewportSize({ width: 1_280, height: 760 })
  await story.page.keyboard.press('Escape')
  expect(await hasKeyboard(story.page.locator('iframe'))).toBe(true)
  await question().focus()
  // What was typed for the app answers nothing.
  await story.page.keyboard.press('Enter')
  await story.page.keyboard.press('Space')
  await say('Always in Sky')
  await sky().getByText('"sky":"clear"').waitFor()
  // The answer of the tool and the end of the question come to the page on two ways.
  await expect.poll(() => hasKeyboard(story.page.locator('iframe'))).toBe(true)

  await at.button('Manage').click()
  await story.page.getByRole('tab', { name: 'Apps' }).click()
  await at.bed.getByText('It does not ask you before it uses: forecast of Weather').waitFor()
  expect(await at.findings()).toEqual([])
  await at.pressKey(at.button('Ask me again: Sky'))
  await at.button('Ask me again: Sky').waitFor({ state: 'detached' })
  await at.button('Back to the desktop').click()
  await ask()
  await question().waitFor()
  await say('No')
  await sky().getByText('was not used: you said no').waitFor()
  expect(story.troubles).toEqual([])
})

verifies('approval.shell', 'calls that wait together are asked in one card', async () => {
  await ask()
  await question().waitFor()
  await ask()
  await question().getByText('Let Sky make these 2 calls?').waitFor()
  expect(await question().locator('pre').count()).toBe(2)
  expect(await at.findings()).toEqual([])
  await say('No to all')
  await question().waitFor({ state: 'detached' })
  await ask()
  await question().waitFor()
  await say('Always for Weather in Sky')
  await sky().getByText('"sky":"clear"').first().waitFor()
  await at.button('Manage').click()
  await story.page.getByRole('tab', { name: 'Apps' }).click()
  await at.bed.getByText('It does not ask you before it uses: all tools of Weather').waitFor()
})

verifies('approval.shell', 'fits a small screen', async () => {
  await story.page.setViewportSize({ width: 390, height: 844 })
  await ask()
  await question().waitFor()
  for (const button of await question().getByRole('button').all()) {
    const box = await button.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  }
})
