import { createRequire } from 'node:module'
import path from 'node:path'
import { bundle } from '@svc/conformance/bundle'
import { launchChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { axeFindings } from './axe-for-tests.ts'
import { type Harness, startHarness } from './harness.ts'
import { makePluginApp, type PluginApp } from './plugin-app.ts'

const require = createRequire(import.meta.url)
/** More stops of the Tab key than any page here has. */
const STOPS_MAX = 90

let browser: Browser
let sdk: string
let app: PluginApp
let harness: Harness
let page: Page
const troubles: string[] = []
const loads: string[] = []

beforeAll(async () => {
  browser = await launchChromium()
  const resolveDir = path.dirname(require.resolve('@svc/conformance/bundle'))
  sdk = await bundle({ contents: `export { svc } from '@svc/sdk'`, resolveDir })
})
afterAll(() => browser.close())
beforeEach(async () => {
  app = makePluginApp(sdk)
  harness = await startHarness({ dirs: [app.dir] })
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  page = await context.newPage()
  troubles.length = 0
  loads.length = 0
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/main.js')) loads.push(request.url())
  })
  await page.goto(harness.url)
})
afterEach(async () => {
  await page.context().close()
  await harness.close()
  app.remove()
})

const room = () => page.getByRole('main', { name: 'Manage' })
const part = (name: string) => room().getByRole('region', { name, exact: true })
const versions = () => room().getByRole('list', { name: 'Versions' }).getByRole('listitem')
const version = (name: string) => versions().filter({ has: page.getByRole('heading', { name, exact: true }) })
const said = (text: string) => page.locator('[role=status].unseen').getByText(text).waitFor()
const hasKeyboard = (target: Locator) =>
  target.evaluate((element) => {
    const { ownerDocument } = element
    return ownerDocument.activeElement === element && ownerDocument.hasFocus()
  })

/** Goes on by the Tab key to something; the keyboard can reach nothing that this does not. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    if (await hasKeyboard(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not come to ${target}`)
}
const pressKey = async (target: Locator) => {
  await tabTo(target)
  await page.keyboard.press('Enter')
}
const button = (name: string, within: Pick<Page, 'getByRole'> = page) =>
  within.getByRole('button', { name, exact: true })
const box = (name: string) => room().getByRole('textbox', { name, exact: true })
async function write(name: string, text: string): Promise<void> {
  await tabTo(box(name))
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}
/** Arrows go round the choices of a group. */
async function choose(name: string): Promise<void> {
  const radio = room().getByRole('radio', { name, exact: true })
  await tabTo(
    room()
      .getByRole('radio', { checked: true })
      .and(page.locator(`[name="${await radio.getAttribute('name')}"]`)),
  )
  for (let turn = 0; turn < STOPS_MAX && !(await radio.isChecked()); turn++)
    await page.keyboard.press('ArrowDown')
}

/** What axe finds in light and in dark. */
async function findings(): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    found.push(...(await axeFindings(page)))
  }
  return found
}

/** Fills the form of the plugin whose script the app brings, up to its minted id. Answers the id. */
async function mint(): Promise<string> {
  await pressKey(button('Sign in'))
  await pressKey(button('Manage'))
  await pressKey(button('New plugin'))
  await part('Still missing').getByText('A tool id: mint one').waitFor()
  expect(await button('Create the plugin').count()).toBe(0)
  await write('Name', 'Weather')
  await pressKey(button('Mint the tool id'))
  await box('Tool id').waitFor()
  await said('Minted tool-dev-weather-')
  expect(await hasKeyboard(box('Tool id'))).toBe(true)
  return box('Tool id').inputValue()
}

async function fromScript(): Promise<void> {
  await tabTo(room().getByRole('combobox', { name: 'Type of distribution' }))
  await page.keyboard.type('Local')
  await write('Path', app.script)
}

const whole = 'mints, creates, calls, promotes, versions and yanks a plugin by the keyboard alone'
verifies('publishing.mint_first', whole, async () => {
  const toolId = await mint()
  expect(await part('Still missing').getByRole('listitem').allTextContents()).toEqual([
    'A manifest',
    'Package, for the distribution npm',
  ])
  expect(await box('Tool id').isEditable()).toBe(false)
  expect(await findings()).toEqual([])
  await fromScript()
  await pressKey(button('Describe now'))
  await part('Capabilities').getByText('Says how the weather will be').waitFor()
  await pressKey(button('Create the plugin'))
  await room().getByRole('heading', { name: 'Weather' }).waitFor()
  await said('Weather was created')

  // An app of the same user declares it, and calls it.
  app.declare(toolId)
  await harness.host.apps.reload(app.dir)
  await pressKey(button('Back to the desktop'))
  await pressKey(page.getByRole('navigation', { name: 'Apps' }).getByRole('button', { name: /Sky/ }))
  const sky = page.getByRole('region', { name: 'Sky', exact: true }).frameLocator('iframe')
  await pressKey(sky.getByRole('button', { name: 'Ask' }))
  await sky.getByText('"sky":"clear"').waitFor()

  await pressKey(button('Manage'))
  await room().getByText('available').waitFor()
  await choose('Public')
  await part('Visibility').getByText('This freezes version 1.0.0').waitFor()
  await pressKey(button('Make it public'))
  await version('1.0.0').getByText('offered').waitFor()
  expect(await findings()).toEqual([])

  await pressKey(button('Show what is different'))
  await part('Difference').getByText('Nothing is different from 1.0.0.').waitFor()
  await pressKey(button('Publish all the same'))
  await part('Difference')
    .getByText('There are no content changes since the last published version.')
    .waitFor()
  await pressKey(button('Leave it', part('Difference')))

  const manifest = await box('Manifest').inputValue()
  await write('Manifest', manifest.replace('Says how', 'Tells how'))
  await pressKey(button('Save'))
  await said('Weather was saved')
  await pressKey(button('Show what is different'))
  await part('Difference').getByText('changed the description of tool forecast').waitFor()
  expect(await findings()).toEqual([])
  await pressKey(button('Publish 1.0.1'))
  await version('1.0.1').getByText('offered').waitFor()

  await pressKey(button('Yank 1.0.0'))
  await page.keyboard.type('it says the wrong thing')
  await tabTo(version('1.0.0').getByRole('combobox', { name: 'In its place' }))
  await page.keyboard.type('1.0.1')
  expect(await findings()).toEqual([])
  await pressKey(button('Yank it'))
  await version('1.0.0').getByText('Use 1.0.1 in its place.').waitFor()
  await version('1.0.0').getByText('yanked', { exact: true }).waitFor()
  expect(await versions().getByRole('heading').allTextContents()).toEqual(['1.0.1', '1.0.0'])
  expect(loads).toHaveLength(1)
  expect(troubles).toEqual([])
})

it('keeps what is typed over the tabs and the desktop, and takes no id that was not minted', async () => {
  await mint()
  await fromScript()
  await page.keyboard.press('Tab')
  await tabTo(page.getByRole('tab', { name: 'Plugins' }))
  await page.keyboard.press('ArrowRight')
  await room().getByText('No machine is enrolled yet.').waitFor()
  expect(await findings()).toEqual([])
  await page.keyboard.press('ArrowRight')
  await room().getByRole('heading', { name: 'Sky' }).waitFor()
  expect(await findings()).toEqual([])
  await pressKey(button('Manage'))
  await room().waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('tab', { name: 'Apps' }))
  await page.keyboard.press('ArrowRight')
  expect(await box('Path').inputValue()).toBe(app.script)
  expect(await box('Tool id').getAttribute('readonly')).not.toBeNull()
  await page.setViewportSize({ width: 400, height: 760 })
  expect(await findings()).toEqual([])
})

it('enrols a machine, shows its token once, and revokes it', async () => {
  await pressKey(button('Sign in'))
  await pressKey(button('Manage'))
  await tabTo(page.getByRole('tab', { name: 'Plugins' }))
  await page.keyboard.press('ArrowRight')
  await write('Name', 'desk')
  await page.keyboard.press('Enter')
  await box('Token').waitFor()
  expect(await hasKeyboard(box('Token'))).toBe(true)
  expect(await box('Token').inputValue()).toMatch(/^svcr_/)
  expect(await box('Command').inputValue()).toBe(`svc runner --host ${harness.url}`)
  expect(await findings()).toEqual([])
  await pressKey(button('I have kept the token'))
  await room().getByRole('list', { name: 'Your runners' }).getByText('offline', { exact: true }).waitFor()
  await pressKey(button('Revoke desk'))
  await pressKey(button('Revoke it'))
  await room().getByText('No machine is enrolled yet.').waitFor()
})

/** Releases an app of the user as a version with these namespaces. Answers its id. */
async function release(version: string, hostApi: object, appId?: string): Promise<string> {
  const { apps } = harness.host
  const app_id = appId ?? (await apps.register('dev', { slug: 'maps', name: 'Maps' })).app_id
  const manifest = {
    schema: 3,
    name: 'Maps',
    version,
    ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: hostApi },
  }
  await apps.pushDraft('dev', app_id, { manifest, files: new Map([['index.html', Buffer.from('maps')]]) })
  await apps.release('dev', app_id, version)
  return app_id
}

it('updates an app with what is chosen of what a release asks for besides, and takes it away', async () => {
  const maps = async () => (await harness.host.apps.installed('dev')).find(({ slug }) => slug === 'maps')
  const app_id = await release('1.0.0', { web: ['fetch'] })
  await harness.host.apps.install('dev', { app_id, version: '1.0.0', grants: { web_grant: true } })
  await release('1.1.0', { web: ['fetch'], image: ['generate'], upload: ['*'] }, app_id)

  await pressKey(button('Sign in'))
  await pressKey(button('Manage'))
  await tabTo(page.getByRole('tab', { name: 'Plugins' }))
  await page.keyboard.press('ArrowLeft')
  await pressKey(button('Update to 1.1.0: Maps'))
  await tabTo(room().getByRole('checkbox', { name: 'Have images made, on your account' }))
  await page.keyboard.press('Space')
  expect(await findings()).toEqual([])
  await pressKey(button('Update to 1.1.0'))
  await room().getByRole('list', { name: 'What Maps may do' }).getByText('Have images made').waitFor()
  expect(await maps()).toMatchObject({ version: '1.1.0', grants: { image_grant: true, web_grant: true } })

  await pressKey(button('Change what it may do: Maps'))
  await page.keyboard.press('Escape')
  await pressKey(button('Uninstall Maps'))
  await pressKey(button('Uninstall it'))
  await said('Maps was uninstalled')
  expect(await maps()).toBeUndefined()
  await room().getByRole('heading', { name: 'Maps' }).waitFor({ state: 'detached' })
})
