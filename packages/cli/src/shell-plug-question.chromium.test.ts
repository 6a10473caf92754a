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
let toolId: string

const manifest = (description: string) => ({
  name: 'weather',
  tools: [{ name: 'forecast', description }],
  reach: { hosts: ['sky.example'] },
})

beforeAll(async () => {
  browser = await sharedChromium()
  sdk = await bundledSdk()
})
afterAll(() => closePages(browser))
beforeEach(async () => {
  story = await openStory(browser, sdk)
  at = bedOf(story.page)
  const { host } = story.harness
  const plug = { name: 'Weather', type: 'tool', visibility: 'public', manifest: manifest('Says it.') }
  const distribution = { type: 'local', path: story.app.script }
  ;({ tool_id: toolId } = await host.publishing.create('eve', { ...plug, distribution }))
  story.app.declare(toolId)
  await host.apps.reload(story.app.dir)
  await story.page.getByRole('button', { name: 'Sign in' }).click()
  await openSky()
})
afterEach(() => story.close())

const openSky = () =>
  story.page.getByRole('navigation', { name: 'Apps' }).getByRole('button', { name: /Sky/ }).click()
const sky = () => story.page.getByRole('region', { name: 'Sky', exact: true }).frameLocator('iframe')
const ask = () => sky().getByRole('button', { name: 'Ask' }).click()
const answer = (text: string) => sky().getByText(text).waitFor()
const question = () => story.page.getByRole('alertdialog', { name: 'Let Sky run the plugin Weather?' })
const say = (name: string) => at.pressKey(question().getByRole('button', { name, exact: true }))

verifies(
  ['wall.consent.shell', 'publisher.shell'],
  'asks at the first use, from the keyboard, and again when the plugin is another',
  async () => {
    const { page } = story
    await ask()
    await question().waitFor()
    await answer('permission_denied')
    expect(await question().textContent()).toContain(
      `by eve (not verified), version 1.0.0: the program "${story.app.script}" on the machine that runs it.`,
    )
    expect(await question().textContent()).toContain('It may reach sky.example.')
    expect(await hasKeyboard(question().getByRole('button', { name: 'Not now' }))).toBe(true)
    expect(await at.findings()).toEqual([])

    // Put off it is not asked again, until the page is loaded again.
    await at.button('Close Sky').click({ trial: true })
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    expect(await hasKeyboard(page.locator('iframe'))).toBe(true)
    await ask()
    await answer('permission_denied')
    expect(await question().count()).toBe(0)
    await page.reload()
    await ask()
    await say('Once, in this window')
    await question().waitFor({ state: 'detached' })
    await ask()
    await answer('"sky":"clear"')

    await story.harness.host.publishing.publish('eve', toolId, { manifest: manifest('Says more.') })
    await ask()
    await say('Always')
    await question().waitFor({ state: 'detached' })
    await ask()
    await answer('"sky":"clear"')
    expect(story.troubles).toEqual([])
  },
)

verifies('wall.consent.shell', 'never asks again after never, and Manage changes that', async () => {
  await ask()
  await say('Never')
  await question().waitFor({ state: 'detached' })
  await ask()
  await answer('do not let')
  expect(await question().count()).toBe(0)

  await at.button('Manage').click()
  await story.page.getByRole('tab', { name: 'Apps' }).click()
  await at.bed.getByText('You never let it run: Weather').waitFor()
  await at.pressKey(at.button('Change permissions: Sky'))
  await at.bed.getByRole('checkbox', { name: /^Run the plugin Weather 1\.0\.0 by eve/ }).press('Space')
  await at.pressKey(at.bed.getByRole('form').getByRole('button', { name: 'Change permissions' }))
  await at.bed.getByText('You allowed it to').waitFor()
  await at.pressKey(at.button('Back to the desktop'))
  await ask()
  await answer('"sky":"clear"')
})

verifies('wall.consent.shell', 'fits a small screen', async () => {
  await story.page.setViewportSize({ width: 390, height: 844 })
  await ask()
  await question().waitFor()
  for (const button of await question().getByRole('button').all()) {
    const box = await button.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  }
})
