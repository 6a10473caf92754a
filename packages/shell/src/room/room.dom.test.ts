import { act, createElement, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StillClock, stillClock } from '../desk/clock-for-tests.ts'
import { createDesk, type Desk } from '../desk/desk.ts'
import { openMemory } from '../desk/memory.ts'
import { READ_TAB_MS } from '../manage/follow-manage.ts'
import { type FakeManage, installOf, plugOf, refusal, runnerOf } from '../manage/manage-api-for-tests.ts'
import { App } from '../ui/app.tsx'
import { type FakeHost, fakeHost } from '../ui/fake-bridge.ts'

let host: FakeHost
let manage: FakeManage
let desk: Desk
let root: Root
let clock: StillClock

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  localStorage.clear()
  document.body.innerHTML = '<div id="root"></div>'
  host = fakeHost()
  manage = host.manage
  clock = stillClock()
})
afterEach(async () => {
  await act(async () => root.unmount())
  desk.dispose()
})

/** Opens the page and the room. */
async function start(): Promise<void> {
  desk = createDesk({ ...host, ...clock, memory: openMemory(localStorage), locale: 'en' })
  const element = document.querySelector('#root')
  if (!element) throw new Error('no root')
  root = createRoot(element)
  await act(async () => {
    root.render(createElement(StrictMode, null, createElement(App, { desk })))
    await desk.begin()
  })
  await act(async () => {
    button('Manage')?.focus()
    button('Manage')?.click()
  })
  await pass(0)
}

const pass = (ms: number) => act(() => clock.pass(ms))
const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)
const text = (selector = '#room') => find(selector)?.textContent ?? ''
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  )
/** As a keyboard does: what is pressed has the focus. */
async function press(name: string): Promise<void> {
  const pressed = button(name)
  if (!pressed) throw new Error(`there is no button ${name}`)
  await act(async () => {
    pressed.focus()
    pressed.click()
  })
  await pass(0)
}
const tab = async (name: string) => {
  await act(async () =>
    [...document.querySelectorAll<HTMLElement>('[role=tab]')]
      .find((one) => one.textContent === name)
      ?.click(),
  )
  await pass(0)
}
const field = (id: string) => find<HTMLInputElement>(`#field-${id}`)
/** Types as React hears it. */
async function type(id: string, value: string): Promise<void> {
  const input = field(id)
  if (!input) throw new Error(`there is no field ${id}`)
  const kind = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const submit = async () => {
  await act(async () => find<HTMLFormElement>('#room form[aria-label]')?.requestSubmit())
  await pass(0)
}
const choose = (label: string) =>
  act(async () =>
    [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.click(),
  )
const missing = () =>
  [...document.querySelectorAll('[aria-label="Still missing"] button')].map((one) => one.textContent)
const held = () => document.activeElement
const said = () => text('[role=status].unseen')

/** Fills the form of a tool until nothing is missing. */
async function fill(): Promise<void> {
  await press('New plugin')
  await type('name', 'weather')
  await press('Mint the tool id')
  await act(async () =>
    desk.manage.maker.change(({ fields }) => ({
      fields: { ...fields, distribution: { ...fields.distribution, type: 'local' } },
    })),
  )
  await type('path', '/opt/weather')
  await type('manifest', '{"name": "weather", "tools": [{"name": "forecast"}]}')
}

describe('the room', () => {
  it('stands over a desktop whose windows are not loaded anew, and gives the keyboard back', async () => {
    await start()
    await press('Back to the desktop')
    expect(held()).toBe(button('Manage'))
    await act(async () => void desk.open('app-1'))
    const [body] = document.querySelectorAll('[data-window] i')
    await press('Manage')
    expect(held()?.textContent).toBe('Manage')
    expect(held()?.tagName).toBe('H2')
    expect(find('main[aria-label=Desktop]')?.closest('[inert]')).not.toBeNull()
    expect(document.title).toBe('Manage · svc')
    await press('Back to the desktop')
    expect(find('main[aria-label=Desktop]')?.closest('[inert]')).toBeNull()
    expect(body?.isConnected).toBe(true)
    expect(host.asked.filter((what) => what.startsWith('mount'))).toHaveLength(1)
  })

  it('is asked nothing by who does not see it', async () => {
    await start()
    manage.asked.length = 0
    await pass(READ_TAB_MS.plugins)
    expect(manage.asked).toEqual(['own plugs'])
    await act(async () => desk.manage.setVisible(false))
    await pass(READ_TAB_MS.plugins)
    manage.asked.length = 0
    await pass(10 * READ_TAB_MS.plugins)
    expect(manage.asked).toEqual([])
    await act(async () => desk.manage.setVisible(true))
    await pass(0)
    expect(manage.asked).toEqual(['own plugs'])
  })

  it('is empty for the next who signs in', async () => {
    manage.plugs = [plugOf('weather')]
    await start()
    await press('New plugin')
    await type('name', 'a word of mine')
    await act(async () => desk.changeName())
    await act(() => desk.signIn('eva', false))
    expect(desk.store.get().manage.isOpen).toBe(false)
    await press('Manage')
    expect(text()).not.toContain('All plugins')
    await press('New plugin')
    expect(field('name')?.value).toBe('')
  })

  it('says what cannot be read, and reads it when it can', async () => {
    manage.plugs = [plugOf('weather')]
    await start()
    manage.trouble = refusal('host_unreachable', 'no answer')
    await pass(READ_TAB_MS.plugins)
    expect(text()).toContain('no answer')
    expect(text()).toContain('weather')
    manage.trouble = null
    await press('Try again')
    expect(text()).not.toContain('no answer')
  })
})

describe('a plugin that is to be', () => {
  it('tells what is missing, and leads to each field', async () => {
    await start()
    await press('New plugin')
    expect(missing()).toEqual([
      'A name',
      'A tool id: mint one',
      'A manifest',
      'Package, for the distribution npm',
    ])
    expect(button('Create the plugin')).toBeUndefined()
    for (const [at, id] of ['name', 'mint', 'manifest', 'package_name'].entries()) {
      await press(missing()[at] ?? '')
      expect(held()?.id).toBe(`field-${id}`)
    }
  })

  it('has its id minted before it is created, to be read and copied for so long', async () => {
    await start()
    await press('New plugin')
    await press('Mint the tool id')
    expect(held()?.id).toBe('field-name')
    await type('name', 'weather')
    await press('Mint the tool id')
    const id = held() as HTMLInputElement
    expect([id.value, id.readOnly]).toEqual(['tool-ada-weather-1', true])
    expect(text()).toContain('Reserved for you for 24 h more')
    expect(field('name')).toBeNull()
    expect(said()).toContain('Minted tool-ada-weather-1')
    await pass(60_000)
    expect(text()).toContain('Reserved for you for 23 h 59 min more')
  })

  it('asks for another id once the time of one is over, and keeps what is typed', async () => {
    manage.expiresAt = new Date(clock.now() + 60_000).toISOString()
    await start()
    await fill()
    await pass(59_000)
    expect(button('Create the plugin')).toBeDefined()
    await pass(1_000)
    expect(missing()).toEqual(['A tool id that has not expired: mint another'])
    expect([field('name')?.value, field('path')?.value]).toEqual(['weather', '/opt/weather'])
    manage.expiresAt = new Date(clock.now() + 60_000).toISOString()
    await press('Mint another id')
    expect(missing()).toEqual([])
  })

  it('is created, and its own page has the keyboard', async () => {
    await start()
    await fill()
    expect(text('[aria-label=Capabilities]')).toContain('forecast')
    await choose('Public')
    await press('Create the plugin')
    expect(manage.asked).toContain('commit drf_weather')
    expect(manage.plugs).toMatchObject([
      { visibility: 'public', distribution: { type: 'local', path: '/opt/weather' } },
    ])
    expect([held()?.tagName, held()?.textContent]).toEqual(['H3', 'weather'])
    await press('All plugins')
    expect([held()?.textContent, (held() as HTMLElement).dataset.tool]).toEqual([
      'weather',
      'tool-ada-weather-1',
    ])
    await press('New plugin')
    expect(field('name')?.value).toBe('')
  })

  it('keeps what is typed over every way about the room', async () => {
    await start()
    await fill()
    await tab('Runners')
    await tab('Plugins')
    expect(field('path')?.value).toBe('/opt/weather')
    await press('Back to the desktop')
    await press('Manage')
    expect(field('path')?.value).toBe('/opt/weather')
    await press('All plugins')
    await press('New plugin')
    expect(field('path')?.value).toBe('/opt/weather')
  })

  it('has a refusal beside its field, with the keyboard in it, until it is tried again', async () => {
    await start()
    await fill()
    manage.trouble = refusal('invalid_arg', 'distribution.path must be an absolute path, got "x"')
    await press('Create the plugin')
    expect(held()).toBe(field('path'))
    expect(field('path')?.getAttribute('aria-invalid')).toBe('true')
    expect(text('[aria-label=Distribution]')).toContain('distribution.path must be an absolute path')
    await tab('Runners')
    await tab('Plugins')
    expect(text('[aria-label=Distribution]')).toContain('distribution.path must be an absolute path')
    manage.trouble = null
    await press('Create the plugin')
    expect(text()).not.toContain('must be an absolute path')
  })

  it('describes itself, or says why nobody can ask it', async () => {
    await start()
    await press('New plugin')
    await press('Describe now')
    expect(held()?.id).toBe('field-package_name')
    await type('package_name', 'weather')
    await press('Describe now')
    expect(text('[role=alert]')).toBe('agent_unavailable No runner of this user is online. Start one.')
    manage.described = { name: 'weather', tools: [{ name: 'forecast', parameters: [] }] }
    await press('Describe now')
    expect(field('manifest')?.value).toContain('"forecast"')
    expect(find('[role=alert]')).toBeNull()
  })

  it('is read from a file that is dropped', async () => {
    await start()
    await press('New plugin')
    const drop = (file: File) =>
      act(async () => {
        const event = new Event('drop', { bubbles: true, cancelable: true })
        Object.assign(event, { dataTransfer: { files: [file] } })
        find('[aria-label=Manifest]')?.dispatchEvent(event)
        await clock.pass(0)
      })
    await drop(new File(['{"name": "dropped"}'], 'manifest.json'))
    expect(field('manifest')?.value).toBe('{"name": "dropped"}')
    await drop(new File(['x'.repeat(262_145)], 'big.json'))
    expect(text('[aria-label=Manifest]')).toContain('big.json has 262145 bytes')
    expect(field('manifest')?.value).toBe('{"name": "dropped"}')
  })

  it('asks for other fields with another type, and a skill for its README alone', async () => {
    await start()
    await press('New plugin')
    await choose('Skill: a README, no process')
    expect([find('[aria-label=Distribution]'), button('Describe now')]).toEqual([null, undefined])
    expect(missing()).toEqual(['A name', 'A tool id: mint one', 'A README: it is what the skill says'])
  })
})

describe('an own plugin', () => {
  const toolId = 'tool-ada-weather-1'
  const version = (name: string) => ({
    ...{ version: name, status: 'active' as const, reason: null, successor: null },
    created_at: '2026-01-01T12:00:00.000Z',
  })
  async function open(...versions: readonly string[]): Promise<void> {
    manage.plugs = [plugOf('weather')]
    manage.versions = { [toolId]: versions.map(version) }
    await start()
    await press('weather')
  }

  it('is shown as text, whatever it says', async () => {
    manage.plugs = [
      plugOf('weather', { name: '<b>bold</b>', status: 'unavailable', problem: '<i>no npm</i>' }),
    ]
    await start()
    expect(text()).toContain('<b>bold</b>')
    expect(text()).toContain('<i>no npm</i>')
    expect(find('#room b, #room i')).toBeNull()
  })

  it('is promoted after the page has said what that freezes', async () => {
    await open()
    await choose('Public')
    expect(text('#field-visibility')).toContain('This freezes version 1.0.0')
    expect(manage.plugs).toMatchObject([{ visibility: 'private' }])
    await press('Leave it private')
    expect(held()?.id).toBe('field-visibility')
    await choose('Public')
    await press('Make it public')
    expect(manage.plugs).toMatchObject([{ visibility: 'public' }])
    expect(said()).toContain('weather is public')
    expect(held()?.id).toBe('field-visibility')
  })

  it('is saved when it is edited, and keeps what is typed until then', async () => {
    await open()
    expect(button('Save')).toBeUndefined()
    await type('name', 'sun')
    await press('All plugins')
    await press('weather')
    expect(field('name')?.value).toBe('sun')
    await press('Discard what is typed')
    expect([field('name')?.value, held()?.id, button('Save')]).toEqual(['weather', 'field-name', undefined])
    await type('name', 'sun')
    await type('tags', 'sky, sky, ')
    await press('Save')
    expect(manage.plugs).toMatchObject([{ name: 'sun', tags: ['sky'] }])
    expect(held()?.id).toBe('field-name')
  })

  it('says what is missing instead of saving it', async () => {
    await open()
    await type('path', '')
    expect(missing()).toEqual(['Path, for the distribution Local file'])
    expect(button('Save')).toBeUndefined()
  })

  it('shows a difference before it is published', async () => {
    await open('0.9.0')
    await press('Show what is different')
    expect(text('[aria-label=Difference]')).toContain('From 0.9.0 to 1.0.1: 1 changed.')
    expect(text('[aria-label=Difference]')).toContain('changed the description of tool forecast')
    await press('Publish 1.0.1')
    expect(find('[aria-label=Difference]')).toBeNull()
    expect(held()?.id).toBe('field-publish_version')
    expect([...document.querySelectorAll('#room ol h4')].map((one) => one.textContent)).toEqual([
      '1.0.1',
      '0.9.0',
    ])
    expect(said()).toContain('Version 1.0.1 was published')
  })

  it('is refused a version in which nothing is different, in the words of the host', async () => {
    await open('1.0.0')
    await press('Show what is different')
    expect(text('[aria-label=Difference]')).toContain('Nothing is different from 1.0.0.')
    await press('Publish all the same')
    expect(text('[aria-label=Difference] [role=alert]')).toBe(
      'no_content_changes There are no content changes since the last version.',
    )
  })

  it('compares nothing while something typed is not saved', async () => {
    await open('1.0.0')
    await type('name', 'sun')
    await press('Show what is different')
    expect(manage.asked).not.toContain(`preview ${toolId}`)
    expect(held()?.id).toBe('field-name')
  })

  it('is yanked with a reason and what comes in its place, and taken back', async () => {
    await open('1.0.1', '1.0.0')
    await press('Yank 1.0.0')
    expect(held()?.tagName).toBe('INPUT')
    await act(async () => {
      const [input, select] = [...document.querySelectorAll<HTMLInputElement>('form input, form select')]
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'it leaks')
      input?.dispatchEvent(new Event('input', { bubbles: true }))
      if (select) select.value = '1.0.1'
      select?.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await submit()
    expect(manage.asked).toContain('mark 1.0.0 yanked it leaks 1.0.1')
    expect(text('[data-heading="version-1.0.0"]')).toContain('yanked')
    expect(text('[data-heading="version-1.0.0"]')).toContain('it leaksUse 1.0.1 in its place.')
    expect(held()?.id).toBe('version-1.0.0')
    await press('Take back 1.0.0')
    await submit()
    expect(manage.asked).toContain('mark 1.0.0 active null null')
  })

  it('is removed by who types its name', async () => {
    await open()
    await press('Remove weather')
    await submit()
    expect(text('[aria-label=Remove]')).toContain('Type weather to remove it.')
    expect(manage.plugs).toHaveLength(1)
    await act(async () => {
      const input = find<HTMLInputElement>('[aria-label=Remove] input')
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'weather')
      input?.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await submit()
    expect(manage.plugs).toEqual([])
    expect([held()?.tagName, held()?.textContent]).toEqual(['H3', 'Your plugins'])
  })
})

describe('runners', () => {
  it('are shown as they are, and said when they come or go', async () => {
    manage.runners = [runnerOf('desk')]
    await start()
    await tab('Runners')
    for (const part of ['online', 'linux-x64, Node v24.1.0', 'npm, local', '1 of 3 jobs, 2 calls', 'now'])
      expect(text('[data-runner]')).toContain(part)
    manage.runners = [runnerOf('desk', { state: 'offline' })]
    await pass(READ_TAB_MS.runners)
    expect(text('[data-runner]')).toContain('offline')
    await pass(1_000)
    expect(said()).toContain('desk is offline')
  })

  it('are enrolled with a token that is shown once', async () => {
    await start()
    await tab('Runners')
    await press('Enrol a machine')
    await submit()
    expect(held()?.id).toBe('field-name')
    await type('name', 'desk')
    button('Enrol a machine')?.focus()
    await submit()
    expect((held() as HTMLInputElement).value).toBe('svcr_desk')
    expect(text()).toContain('SVC_RUNNER_TOKEN')
    expect(find<HTMLInputElement>('input[value^="svc runner --host"]')).not.toBeNull()
    await press('I have kept the token')
    expect(document.body.innerHTML).not.toContain('svcr_desk')
    expect(held()?.id).toBe('field-name')
    expect(text('[data-runner]')).toContain('desk')
  })

  it('are revoked after a question', async () => {
    manage.runners = [runnerOf('desk')]
    await start()
    await tab('Runners')
    await press('Revoke desk')
    expect(held()?.textContent).toBe('Keep it')
    button('Revoke it')?.focus()
    await act(async () => find<HTMLFormElement>('[data-runner] form')?.requestSubmit())
    await pass(0)
    expect(manage.runners).toEqual([])
    expect(held()?.getAttribute('role')).toBe('tabpanel')
  })
})

describe('installed apps', () => {
  it('show what was allowed, also where the host tells nothing of other versions', async () => {
    manage.installs = [installOf('maps')]
    await start()
    await tab('Apps')
    expect(text('[aria-label="What maps may do"]')).toBe('Read pages of the web through the host')
    expect(button('Uninstall maps')).toBeDefined()
    expect(document.querySelectorAll('#room li button')).toHaveLength(1)
  })

  it('are updated with what is chosen of what a release asks for besides', async () => {
    const newer = { version: '2.0.0', asks: { web_grant: true, image_grant: true, upload_grant: true } }
    manage.installs = [installOf('maps', { newer })]
    await start()
    await tab('Apps')
    await press('Update to 2.0.0: maps')
    const boxes = () =>
      [...document.querySelectorAll<HTMLInputElement>('form input[type=checkbox]')].map(
        ({ checked }) => checked,
      )
    expect(boxes()).toEqual([false, false, true])
    await choose('Have images made, on your account')
    expect(boxes()).toEqual([true, false, true])
    await act(async () => find<HTMLFormElement>('#room form')?.requestSubmit())
    await pass(0)
    expect(manage.asked).toContain('install app_maps 2.0.0 {"image_grant":true,"web_grant":true}')
    expect(text('[aria-label="What maps may do"]')).toContain('Have images made')
    expect(held()?.id).toBe('install-ins_maps')
  })

  it('may be allowed what they ask for and have not', async () => {
    manage.installs = [installOf('maps', { asks: { web_grant: true, image_grant: true } })]
    await start()
    await tab('Apps')
    await press('Change what it may do: maps')
    await choose('Have images made, on your account')
    await act(async () => find<HTMLFormElement>('#room form')?.requestSubmit())
    await pass(0)
    expect(manage.asked).toContain('install app_maps 1.0.0 {"image_grant":true,"web_grant":true}')
    expect(find('#room form')).toBeNull()
  })

  it('are uninstalled after a question', async () => {
    manage.installs = [installOf('maps')]
    await start()
    await tab('Apps')
    await press('Uninstall maps')
    await act(async () => find<HTMLFormElement>('#room form')?.requestSubmit())
    await pass(0)
    expect(manage.installs).toEqual([])
    expect(text()).toContain('No app is installed')
  })
})
