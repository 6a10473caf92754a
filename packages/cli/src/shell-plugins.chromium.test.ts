import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
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
  story = await openStory(browser, sdk)
  at = bedOf(story.page)
})
afterEach(() => story.close())

const versions = () => at.bed.getByRole('list', { name: 'Versions' }).getByRole('listitem')
const version = (name: string) =>
  versions().filter({ has: story.page.getByRole('heading', { name, exact: true }) })

/** Fills the form of the plugin whose script the app brings, up to its minted id. Returns the id. */
async function mint(): Promise<string> {
  await at.enter()
  await at.pressKey(at.button('New plugin'))
  await at.part('Still missing').getByText('A tool id: mint one').waitFor()
  expect(await at.button('Create the plugin').count()).toBe(0)
  await at.write('Name', 'Weather')
  await at.pressKey(at.button('Mint the tool id'))
  await at.box('Tool id').waitFor()
  await at.said('Minted tool-dev-weather-')
  expect(await hasKeyboard(at.box('Tool id'))).toBe(true)
  return at.box('Tool id').inputValue()
}

async function fromScript(): Promise<void> {
  await at.tabTo(at.bed.getByRole('combobox', { name: 'Type of distribution' }))
  await story.page.keyboard.type('Local')
  await at.write('Path', story.app.script)
}

const whole = 'mints, creates, calls, promotes, versions and yanks a plugin by the keyboard alone'
verifies('publishing.mint_first', whole, async () => {
  const toolId = await mint()
  expect(await at.part('Still missing').getByRole('listitem').allTextContents()).toEqual([
    'A manifest',
    'Package, for the distribution npm',
  ])
  expect(await at.box('Tool id').isEditable()).toBe(false)
  expect(await at.findings()).toEqual([])
  await fromScript()
  await at.pressKey(at.button('Describe now'))
  await at.part('Capabilities').getByText('Says how the weather will be').waitFor()
  await at.pressKey(at.button('Create the plugin'))
  await at.bed.getByRole('heading', { name: 'Weather' }).waitFor()
  await at.said('Weather was created')

  // An app of the same user declares it, and calls it.
  story.app.declare(toolId)
  await story.harness.host.apps.reload(story.app.dir)
  await at.pressKey(at.button('Back to the desktop'))
  await at.pressKey(story.page.getByRole('navigation', { name: 'Apps' }).getByRole('button', { name: /Sky/ }))
  const sky = story.page.getByRole('region', { name: 'Sky', exact: true }).frameLocator('iframe')
  await at.pressKey(sky.getByRole('button', { name: 'Ask' }))
  await sky.getByText('"sky":"clear"').waitFor()

  await at.pressKey(at.button('Manage'))
  await at.bed.getByText('available').waitFor()
  await at.choose('Public')
  await at.part('Visibility').getByText('This freezes version 1.0.0').waitFor()
  await at.pressKey(at.button('Make it public'))
  await version('1.0.0').getByText('offered').waitFor()
  expect(await at.findings()).toEqual([])

  await at.pressKey(at.button('Show the changes'))
  await at.part('Difference').getByText('Nothing has changed since 1.0.0.').waitFor()
  await at.pressKey(at.button('Publish anyway'))
  await at
    .part('Difference')
    .getByText('There are no content changes since the last published version.')
    .waitFor()
  await at.pressKey(at.button('Leave it', at.part('Difference')))

  const manifest = await at.box('Manifest').inputValue()
  await at.write('Manifest', manifest.replace('Says how', 'Tells how'))
  await at.pressKey(at.button('Save'))
  await at.button('Save').waitFor({ state: 'detached' })
  await at.pressKey(at.button('Show the changes'))
  await at.part('Difference').getByText('changed the description of tool forecast').waitFor()
  expect(await at.findings()).toEqual([])
  await at.pressKey(at.button('Publish 1.0.1'))
  await version('1.0.1').getByText('offered').waitFor()

  await at.pressKey(at.button('Yank 1.0.0'))
  await story.page.keyboard.type('it says the wrong thing')
  await at.tabTo(version('1.0.0').getByRole('combobox', { name: 'Replacement (optional)' }))
  await story.page.keyboard.type('1.0.1')
  expect(await at.findings()).toEqual([])
  await at.pressKey(at.button('Yank it'))
  await version('1.0.0').getByText('Use 1.0.1 in its place.').waitFor()
  await version('1.0.0').getByText('yanked', { exact: true }).waitFor()
  expect(await versions().getByRole('heading').allTextContents()).toEqual(['1.0.1', '1.0.0'])
  expect(story.loads).toHaveLength(1)
  expect(story.troubles).toEqual([])
})

it('keeps what is typed over the tabs and the desktop, and takes no id that was not minted', async () => {
  await mint()
  await fromScript()
  await story.page.keyboard.press('Tab')
  await at.tabTo(story.page.getByRole('tab', { name: 'Plugins' }))
  await story.page.keyboard.press('ArrowRight')
  await at.bed.getByText('No machines are enrolled yet.').waitFor()
  expect(await at.findings()).toEqual([])
  await story.page.keyboard.press('ArrowRight')
  await at.bed.getByRole('heading', { name: 'Sky' }).waitFor()
  expect(await at.findings()).toEqual([])
  await at.pressKey(at.button('Manage'))
  await at.bed.waitFor({ state: 'detached' })
  await story.page.keyboard.press('Enter')
  await at.tabTo(story.page.getByRole('tab', { name: 'Apps' }))
  await story.page.keyboard.press('ArrowRight')
  expect(await at.box('Path').inputValue()).toBe(story.app.script)
  expect(await at.box('Tool id').getAttribute('readonly')).not.toBeNull()
  await story.page.setViewportSize({ width: 400, height: 760 })
  expect(await at.findings()).toEqual([])
})

it('loads the files of Manage when it is first opened, and lives on where the host has them no more', async () => {
  const asked: string[] = []
  await story.page.route('**/assets/open-manage-page-*.js', (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  await at.pressKey(at.button('Sign in'))
  await at.button('Manage').waitFor()
  expect(asked).toEqual([])

  await at.pressKey(at.button('Manage'))
  await at.bed.getByRole('alert').getByText('Manage could not be loaded. Reload the page.').waitFor()
  expect(asked).not.toEqual([])
  expect(await at.findings()).toEqual([])
  await at.pressKey(at.button('Manage'))
  await at.bed.waitFor({ state: 'detached' })
  await at.pressKey(story.page.getByRole('navigation', { name: 'Apps' }).getByRole('button', { name: /Sky/ }))
  await story.page.getByRole('region', { name: 'Sky', exact: true }).waitFor()

  await story.page.unroute('**/assets/open-manage-page-*.js')
  await story.page.reload()
  await at.pressKey(at.button('Manage'))
  await at.button('New plugin').waitFor()
  expect(story.troubles).toEqual([])
})
