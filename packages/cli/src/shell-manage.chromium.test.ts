import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { connectRunner, createRunner } from '@svc/runner'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { bundledSdk } from './testing/bundled-sdk.ts'
import { bedOf, hasKeyboard, type ManageStory, openStory } from './testing/manage-story.ts'

const quiet = { debug() {}, info() {}, warn() {} }

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

it('enrols a machine, shows its token once, tells when it comes and goes, and revokes it', async () => {
  await at.enter('ArrowRight')
  await at.write('Name', 'desk')
  await story.page.keyboard.press('Enter')
  await at.box('Token').waitFor()
  expect(await hasKeyboard(at.box('Token'))).toBe(true)
  const token = await at.box('Token').inputValue()
  expect(token).toMatch(/^svcr_/)
  expect(await at.box('Command').inputValue()).toBe(
    `svc runner --host ${story.harness.url} --token-file ~/.svc-token`,
  )
  expect(await at.findings()).toEqual([])
  await at.pressKey(at.button('I have kept the token'))
  const shows = (text: string) =>
    at.bed.getByRole('list', { name: 'Your runners' }).getByText(text, { exact: true }).waitFor()
  await shows('offline')
  const machine = createRunner()
  const link = connectRunner({ url: story.harness.url, token, runner: machine, log: quiet, stateDir: null })
  try {
    await shows('online')
    await shows('0 of 3 jobs, 0 calls')
    await at.said('desk is online')
    expect(await at.findings()).toEqual([])
  } finally {
    await link.close()
    await machine.close()
  }
  await shows('offline')
  await at.pressKey(at.button('Revoke desk'))
  await at.pressKey(at.button('Revoke it'))
  await at.bed.getByText('No machines are enrolled yet.').waitFor()
})

/** A plugin of a user that everybody sees. */
const publish = (user: string, name: string) =>
  story.harness.host.publishing.create(user, {
    name,
    type: 'skill',
    visibility: 'public',
    manifest: { name: 'haiku', version: '1.0.0', tools: [] },
    readme: 'Write haiku.',
  })

verifies('shell.search', 'searches own plugins and those of others, further than a page goes', async () => {
  await publish('eve', 'Autumn')
  for (let at = 0; at < limits.PLUG_LIST_DEFAULT; at++) await publish('eve', `Spring ${at}`)
  await publish('dev', 'Autumn of mine')
  await publish('dev', 'Winter')
  const shown = (list: string) => at.bed.getByRole('list', { name: list }).getByRole('listitem')
  await at.enter()
  await shown('Published by others').nth(1).waitFor()
  expect(await shown('Published by others').filter({ hasText: 'Autumn' }).count()).toBe(0)

  const field = at.bed.getByRole('searchbox', { name: 'Search plugins', exact: true })
  await at.tabTo(field)
  await story.page.keyboard.insertText('AUTUMN')
  await at.said('1 plugin of yours found')
  await shown('Published by others').filter({ hasText: 'Autumn' }).waitFor()
  expect([await shown('Your plugins').count(), await shown('Published by others').count()]).toEqual([1, 1])
  expect(await hasKeyboard(field)).toBe(true)
  expect(await at.findings()).toEqual([])

  await story.page.keyboard.press('Control+A')
  await story.page.keyboard.insertText('rain')
  await at.bed.getByText('None of your plugins is found.').waitFor()
  await at.bed.getByText('No plugin of others is found.').waitFor()
  expect(await at.findings()).toEqual([])
  await story.page.keyboard.press('Escape')
  await shown('Your plugins').nth(1).waitFor()
  expect([await field.inputValue(), await hasKeyboard(field)]).toEqual(['', true])
})

verifies(
  'plug.variables.given',
  'takes what a plugin of others needs, and shows no secret again',
  async () => {
    const { tool_id } = await story.harness.host.publishing.create('eve', {
      name: 'Sky',
      type: 'tool',
      visibility: 'public',
      manifest: {
        name: 'sky',
        version: '1.0.0',
        tools: [],
        reach: { folders: [{ path: '${VAULT}', access: 'write' }] },
      },
      distribution: {
        type: 'npm',
        package_name: 'sky',
        version: '1.0.0',
        env: {
          KEY: { secret: true, required: true, description: 'the key of your account' },
          VAULT: { description: 'your notes' },
          CITY: { default: 'Rome' },
        },
      },
    })
    await at.enter()
    await at.bed.getByText('Sky needs KEY ("the key of your account")').waitFor()
    await at.pressKey(at.button('Values for Sky'))
    const field = (name: string) => at.bed.getByLabel(name, { exact: false })
    await field('KEY').waitFor()
    expect(await field('KEY').getAttribute('type')).toBe('password')
    expect(await field('CITY').getAttribute('placeholder')).toBe('Rome')
    await at.bed.getByText('The plugin may read and change what is in it.').waitFor()
    await field('KEY').fill('sk-1')
    await field('VAULT').fill('notes')
    expect(await at.findings()).toEqual([])
    await at.pressKey(at.button('Save values'))
    await at.bed.getByText('values.VAULT must be an absolute path').waitFor()
    await field('VAULT').fill('/home/dev/notes')
    await at.pressKey(at.button('Save values'))
    await at.said('Sky has its values')
    expect([await field('KEY').inputValue(), await field('VAULT').inputValue()]).toEqual([
      '',
      '/home/dev/notes',
    ])
    expect(await at.findings()).toEqual([])
    await at.pressKey(at.button('Take KEY back'))
    await at.pressKey(at.button('Save values'))
    await at.said('Sky still needs KEY')
    expect(await at.bed.innerHTML()).not.toContain('sk-1')
    expect(tool_id).toMatch(/^tool-eve-sky-/)
  },
)

/** Releases an app of the user as a version with these namespaces. Returns its id. */
async function release(version: string, hostApi: object, appId?: string): Promise<string> {
  const { apps } = story.harness.host
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
  const maps = async () =>
    (await story.harness.host.apps.installed('dev')).find(({ slug }) => slug === 'maps')
  const app_id = await release('1.0.0', { web: ['fetch'] })
  await story.harness.host.apps.install('dev', { app_id, version: '1.0.0', grants: { web_grant: true } })
  await release('1.1.0', { web: ['fetch'], image: ['generate'], upload: ['*'] }, app_id)

  await at.enter('ArrowLeft')
  await at.pressKey(at.button('Update to 1.1.0: Maps'))
  await at.tabTo(at.bed.getByRole('checkbox', { name: 'Have images made, on your account' }))
  await story.page.keyboard.press('Space')
  expect(await at.findings()).toEqual([])
  await at.pressKey(at.button('Update to 1.1.0'))
  await at.bed.getByRole('list', { name: 'What Maps may do' }).getByText('Have images made').waitFor()
  expect(await maps()).toMatchObject({ version: '1.1.0', grants: { image_grant: true, web_grant: true } })

  await at.pressKey(at.button('Change permissions: Maps'))
  await story.page.keyboard.press('Escape')
  await at.pressKey(at.button('Uninstall Maps'))
  await at.pressKey(at.button('Uninstall it'))
  await at.said('Maps was uninstalled')
  expect(await maps()).toBeUndefined()
  await at.bed.getByRole('heading', { name: 'Maps' }).waitFor({ state: 'detached' })
})
