import { BridgeError } from '@svc/bridge'
import type { BuildProblem } from '@svc/contract'
import { act, createElement, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDesk, type Desk } from '../desk/desk.ts'
import { openMemory } from '../state/memory.ts'
import { fakeHost } from '../testing/fake-bridge.ts'
import type { FakeHost } from '../testing/fake-host.ts'
import { App } from './app.tsx'

let host: FakeHost
let desk: Desk
let root: Root
let clock: number
let waiting: (() => void)[]

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  localStorage.clear()
  document.body.innerHTML = '<div id="root"></div>'
  host = fakeHost()
  clock = 0
  waiting = []
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await act(async () => root.unmount())
  desk.dispose()
})

async function start(): Promise<void> {
  const { bridge, exchange, tabs } = host
  desk = createDesk({
    bridge,
    exchange,
    tabs,
    memory: openMemory(localStorage),
    now: () => clock,
    later: (work) => void waiting.push(work),
    locale: 'en',
  })
  const element = document.querySelector('#root')
  if (!element) throw new Error('no root')
  root = createRoot(element)
  await act(async () => {
    root.render(createElement(StrictMode, null, createElement(App, { desk })))
    await desk.begin()
  })
}

const bodies = () => document.querySelectorAll('[data-window] i')
const text = () => document.body.textContent ?? ''
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(
    (one) => one.getAttribute('aria-label') === name || one.textContent?.includes(name),
  )
const press = (name: string) => act(async () => button(name)?.click())
const happen = (what: () => void) => act(async () => what())

const approval = {
  approval_id: 'apv_1',
  app_id: 'app-1',
  tool_id: 'tool-1',
  plugin_name: 'Mail',
  tool_name: 'send',
  description: 'Sends.',
  args_text: '{"to": "<b>bob</b>"}',
  args_cut: false,
  args_bytes: 20,
  expires_at: '',
}
const plugAsked = {
  window_uuid: 'w1',
  app_id: 'app-1',
  tool_id: 'tool-1',
  name: 'Weather',
  publisher: { name: 'eve', verified: false },
  author: 'eve',
  version: '1.0.0',
  distribution: 'the npm package weather',
  needs: '',
  reach: '',
  digest: 'd1',
}

describe('the page', () => {
  it('asks the host for a window once, though React draws twice', async () => {
    await start()
    await press('One')
    expect(host.asked.filter((what) => what.startsWith('mount'))).toEqual(['mount app-1'])
    expect(bodies()).toHaveLength(1)
    expect(text()).toContain('Window w1')
  })

  it('puts back what is open at the host, once', async () => {
    host.open.add('w7')
    await start()
    await happen(() => host.emit('host_back'))
    expect(host.asked).toEqual(['attach w7'])
  })

  it('asks for a name, says why one will not do, and remembers the one that did', async () => {
    host.user = null
    localStorage.setItem('svc.user', 'nobody')
    await start()
    expect(text()).toContain('user must be somebody')
    await happen(() => void desk.signIn('eva', true))
    expect(text()).toContain('Nothing is open')
    expect(localStorage.getItem('svc.user')).toBe('eva')
  })

  it('signs in again by the remembered name when the host forgets it', async () => {
    localStorage.setItem('svc.user', 'eva')
    await start()
    host.user = null
    await happen(() => host.emit('signed_out'))
    expect(host.asked).toContain('sign in eva')
    expect(text()).not.toContain('Welcome')
  })

  it('takes a window off when the bundle closes it, keeps the others in place', async () => {
    await start()
    await press('One')
    await press('One')
    const [, second] = bodies()
    await happen(() => host.emitOn('w1', 'closed', { reason: null }))
    expect(document.querySelectorAll('[data-window]')).toHaveLength(1)
    expect(second?.isConnected).toBe(true)
    expect(desk.store.get().notices).toEqual([])
  })

  it('says why the page itself took a window off', async () => {
    await start()
    await press('One')
    const message = 'window w1 was closed: its frame was led to the document of another window'
    const error = new BridgeError({ code: 'permission_denied', message, details: { hint: 'Uninstall it.' } })
    await happen(() => host.emitOn('w1', 'closed', { reason: message, error }))
    expect(bodies()).toHaveLength(0)
    expect(text()).toContain(message)
    expect(text()).toContain('Uninstall it.')
  })

  it('says that something before the host answers, until the host does', async () => {
    await start()
    await happen(() => host.emit('intercepted', { url: '/', status: 200 }))
    expect(text()).toContain('Something between this page and its host answers in its place')
    await happen(() => host.emit('host_back'))
    expect(text()).not.toContain('answers in its place')
  })

  it('says that windows are lost, opens them again, or lets them go', async () => {
    await start()
    await press('One')
    await press('One')
    host.open.clear()
    await happen(() => host.emit('host_lost'))
    expect(text()).toContain('The host does not respond; trying again')
    await happen(() => host.emit('host_back'))
    expect(text()).toContain('no longer knows 2 windows')
    await press('Open them again')
    expect(host.asked.filter((what) => what.startsWith('mount'))).toHaveLength(4)
    expect(text()).not.toContain('does not know')

    await happen(() => host.emitOn('w3', 'lost'))
    await press('Close it')
    expect(document.querySelectorAll('[data-window]')).toHaveLength(1)
  })

  it('tells the host of the windows that the user raises one after the other', async () => {
    await start()
    await press('One')
    await press('One')
    const [first = '', second = ''] = desk.store.get().windows.map(({ key }) => key)
    const { promise, resolve } = Promise.withResolvers<void>()
    host.holdFocus = promise
    for (const key of [first, second, first, second, first]) await happen(() => desk.raise(key))
    const told = () => host.asked.filter((what) => what.startsWith('focus'))
    expect(told()).toEqual(['focus w1'])
    await happen(resolve)
    expect(told()).toEqual(['focus w1', 'focus w2', 'focus w1'])
  })

  it('keeps in front the window that the user raised last while the host was opening them', async () => {
    host.open.add('w7')
    host.open.add('w8')
    host.open.add('w9')
    const ends = new Map<string, () => void>()
    host.holdAttach = (uuid) => new Promise((resolve) => ends.set(uuid, resolve))
    await start()
    const keyOf = (uuid: string) => desk.store.get().windows.find((one) => one.uuid === uuid)?.key ?? ''
    await happen(() => desk.raise(keyOf('w7')))
    await happen(() => desk.raise(keyOf('w8')))
    for (const uuid of ['w9', 'w8', 'w7']) await happen(() => ends.get(uuid)?.())
    expect(host.asked.filter((what) => what.startsWith('focus'))).toEqual(['focus w8'])
    expect(document.querySelector('[data-front]')?.getAttribute('aria-label')).toBe('Window w8')
  })

  it('gives the keyboard to no window that is behind when the page draws', async () => {
    const draws: FrameRequestCallback[] = []
    vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((draw) => draws.push(draw))
    await start()
    await press('One')
    await press('One')
    const late = draws.splice(0)
    await happen(() => desk.raise(desk.store.get().windows[0]?.key ?? ''))
    await happen(() => {
      for (const draw of late) draw(0)
    })
    expect(late.length).toBeGreaterThan(0)
    expect(document.querySelector('[data-front]')?.getAttribute('aria-label')).toBe('Window w1')
  })

  it('shows a view that a bundle opened, and does not show it twice', async () => {
    await start()
    await press('One')
    const opened = { window_uuid: 'w1', app_id: 'app-1', opened_uuid: 'w9', view: 'main', created: true }
    await happen(() => host.emit('view_opened', opened))
    await happen(() => host.emit('view_opened', opened))
    expect(host.asked.filter((what) => what === 'attach w9')).toHaveLength(1)
    expect(document.querySelectorAll('[data-window]')).toHaveLength(2)
  })

  it('shows that an app does not respond until it does, and lets the user end it', async () => {
    await start()
    await press('One')
    await happen(() => host.emitOn('w1', 'responds', false))
    expect(text()).toContain('One does not respond.')
    await happen(() => host.emitOn('w1', 'responds', true))
    expect(text()).not.toContain('does not respond.')
    await happen(() => host.emitOn('w1', 'responds', false))
    await press('End One')
    expect(document.querySelectorAll('[data-window]')).toHaveLength(0)
    expect(text()).toContain('You ended One, which did not respond')
    await press('Open again')
    expect(host.asked.filter((what) => what.startsWith('mount'))).toHaveLength(2)
    expect(text()).not.toContain('You ended One')
  })

  it('says that an app has stopped, until it is there again', async () => {
    await start()
    await press('One')
    await happen(() => host.emitOn('w1', 'ended'))
    expect(text()).toContain('One has stopped. What it had not saved is lost.')
    await press('Reload')
    expect(host.asked.at(-1)).toBe('reload w1')
    expect(text()).not.toContain('What it had not saved')
    await happen(() => host.emitOn('w1', 'ended'))
    await happen(() => host.emitOn('w1', 'connected', 2))
    expect(text()).not.toContain('What it had not saved')
    await happen(() => host.emitOn('w1', 'ended'))
    await press('Close')
    expect(document.querySelectorAll('[data-window]')).toHaveLength(0)
  })

  it('says in the window that an app could not be loaded, in words for users, and loads it again in its place', async () => {
    await start()
    const message = 'the document of the app showed no app within 60000 ms'
    const failed = new BridgeError({
      code: 'load_failed',
      message,
      details: { url: 'http://host/b/index.html' },
    })
    const fail = () => {
      host.hold = Promise.reject(failed)
      host.hold.catch(() => undefined)
    }
    fail()
    await press('One')
    expect(text()).toContain('One could not be loaded.')
    expect(text()).not.toMatch(/60000|http:|load_failed/)
    host.hold = null
    await press('Reload')
    expect(text()).not.toContain('could not be loaded')
    expect(document.querySelectorAll('[data-window]')).toHaveLength(1)

    fail()
    await press('One')
    await press('Close')
    expect(document.querySelectorAll('[data-window]')).toHaveLength(1)
  })

  it('offers a way on while an app takes long to load', async () => {
    await start()
    host.hold = new Promise(() => undefined)
    await press('One')
    expect(text()).toContain('One takes long to load.')
    await press('Reload')
    expect(document.querySelectorAll('[data-window]')).toHaveLength(1)
    await press('Close')
    expect(document.querySelectorAll('[data-window]')).toHaveLength(0)
  })

  const asks = (id: string) =>
    happen(() => host.emitOn('w1', 'tool_approval', { ...approval, approval_id: id }))
  const isOver = (id: string) => happen(() => host.emitOn('w1', 'tool_approval_over', { approval_id: id }))

  it('asks for a yes in the name of the app, and gives the answer to the host', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await start()
    await press('One')
    const before = document.activeElement
    await asks('apv_1')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('One asks for your yes')
    expect(text()).toContain('Let One use send of the plugin Mail?')
    expect(text()).toContain('{"to": "<b>bob</b>"}')
    await asks('apv_2')
    expect(text()).toContain('Let One make these 2 calls?')
    await asks('apv_3')
    expect(text()).toContain('Let One make these 3 calls?')
    await happen(() =>
      host.emitOn('w1', 'tool_approval', { ...approval, approval_id: 'apv_4', app_id: 'app_9' }),
    )
    expect(text()).toContain('1 more waits.')
    await isOver('apv_4')
    expect(text()).not.toContain('more wait')
    await isOver('apv_3')
    await happen(() => vi.advanceTimersByTime(500))
    await press('All 2 this time')
    expect(host.asked).toEqual(expect.arrayContaining(['once apv_1', 'once apv_2']))
    expect(host.asked).not.toContain('once apv_3')
    expect(text()).not.toContain('Let One')
    expect(document.activeElement).toBe(before)
  })

  it('says how long a question waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    await start()
    await press('One')
    const soon = new Date(clock + 45_000).toISOString()
    await happen(() => host.emitOn('w1', 'tool_approval', { ...approval, expires_at: soon }))
    expect(text()).toContain('Without your answer it is refused in 45 s.')
    clock += 5_000
    await happen(() => vi.advanceTimersByTime(1_000))
    expect(text()).toContain('Without your answer it is refused in 40 s.')
  })

  it('names the host where a tool is of no plugin', async () => {
    await start()
    await press('One')
    const ofHost = { ...approval, tool_id: 'host', plugin_name: null, tool_name: 'storage_set' }
    await happen(() => host.emitOn('w1', 'tool_approval', ofHost))
    expect(text()).toContain('Let One use storage_set of this host?')
    expect(text()).toContain('What it does: Sends.')
  })

  it('tells how much is not shown, and offers no yes for good then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await start()
    await press('One')
    const cut = { ...approval, args_text: 'x'.repeat(16_000), args_cut: true, args_bytes: 4_194_304 }
    await happen(() => host.emitOn('w1', 'tool_approval', cut))
    expect(text()).toContain('the first 16,000 characters, of 4,194,304 bytes in all')
    expect(text()).not.toContain('Always')
    await happen(() => vi.advanceTimersByTime(500))
    await press('This time, with what is not shown')
    expect(host.asked).toContain('once apv_1')
  })

  it.each([
    ['This time', 'All 2 this time'],
    ['Always for Mail in One', 'Always for Mail in One'],
    ['No', 'No to all'],
  ])('takes no click on %s that was meant for the question before', async (name, both) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await start()
    await press('One')
    await asks('apv_1')
    const answers = () => host.asked.filter((what) => what.includes('apv_'))
    await happen(() => vi.advanceTimersByTime(499))
    await press(name)
    expect(answers()).toEqual([])
    await asks('apv_2')
    await happen(() => vi.advanceTimersByTime(499))
    await press(both)
    expect(answers()).toEqual([])
    await happen(() => vi.advanceTimersByTime(1))
    await press(both)
    expect(answers()).toEqual([expect.stringContaining('apv_1'), expect.stringContaining('apv_2')])
  })

  it('asks one thing at a time: a call waits for the answer about a plugin', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await start()
    await press('One')
    await happen(() => host.emitOn('w1', 'plug_asked', plugAsked))
    await asks('apv_1')
    await happen(() => vi.advanceTimersByTime(500))
    expect(text()).toContain('Let One run the plugin Weather?')
    expect(text()).not.toContain('Let One use send')
    await press('Not now')
    await press('This time')
    expect(host.asked.filter((what) => what.includes('apv_'))).toEqual([])
    await happen(() => vi.advanceTimersByTime(500))
    await press('This time')
    expect(host.asked).toContain('once apv_1')
  })

  it('asks once for each app and site whether a page of another site may be opened', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const opened: string[] = []
    const leads = (url: string) =>
      happen(() => host.emitOn('w1', 'open_link', { url, open: () => opened.push(url) }))
    const answer = async (name: string) => {
      await happen(() => vi.advanceTimersByTime(500))
      await press(name)
    }
    await start()
    await press('One')
    await leads('https://site.test/a?b=1')
    await leads('https://other.test/')
    expect(text()).toContain('Let One open site.test?')
    expect(text()).toContain('https://site.test/a?b=1')
    await press('Open')
    expect(opened).toEqual([])
    await answer('Not now')
    expect(text()).not.toContain('other.test')
    await leads('https://site.test/')
    await answer('Open')
    await leads('https://site.test/again')
    await leads('mailto:ada@site.test')
    expect(text()).toContain('Let One open mailto:ada@site.test?')
    expect(opened).toEqual(['https://site.test/', 'https://site.test/again'])
    await act(async () =>
      document
        .querySelector('[role=alertdialog]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })),
    )
    expect(text()).not.toContain('Let One open mailto')
  })

  it('asks once for each app whether a file may be saved', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const saved: string[] = []
    const offers = (name: string) =>
      happen(() => host.emitOn('w1', 'download', { name, sizeBytes: 1, save: () => saved.push(name) }))
    await start()
    await press('One')
    await offers('a.csv')
    expect(text()).toContain('Let One save a file?')
    expect(text()).toContain('a.csv')
    await happen(() => vi.advanceTimersByTime(500))
    await press('Save')
    await offers('b.csv')
    expect(saved).toEqual(['a.csv', 'b.csv'])
  })

  it('loads a window again when its bundle changed', async () => {
    await start()
    await press('One')
    await happen(() => host.emitOn('w1', 'bundle_changed', { entry_url: '/new' }))
    expect(host.asked).toContain('reload w1')
  })

  it('shows in the window why the build of its app failed, until it is good again', async () => {
    await start()
    await press('One')
    const problem = {
      part: 'build',
      message: 'Unexpected token',
      file: 'src/main.ts',
      line: 3,
      column: 7,
      hint: 'Close the brace.',
    } as const
    const built = (told: BuildProblem | null) =>
      happen(() => host.emitOn('w1', 'build_changed', { app_id: 'app-1', problem: told }))
    await built(problem)
    for (const part of ['The last build failed', 'src/main.ts:3:7', 'Unexpected token', 'Close the brace.'])
      expect(text()).toContain(part)
    await press('Hide what is wrong with Window w1')
    expect(text()).not.toContain('The last build failed')
    await built({ ...problem, line: 4 })
    expect(text()).toContain('src/main.ts:4')
    await built({ ...problem, part: 'plugin', file: null })
    expect(text()).toContain('A plugin failed')
    await built(null)
    expect(text()).not.toContain('failed')
  })

  it('shows what is wrong with an app as it was told last, not as an older list has it', async () => {
    await start()
    const [app] = host.manage.installs
    if (!app) throw new Error('the host has no app')
    const problem = { part: 'build', message: 'Unexpected token', file: null, line: 1, column: 1, hint: null }
    const holding = Promise.withResolvers<void>()
    host.manage.installs = [{ ...app, build_problem: problem as BuildProblem }]
    host.holdInstalls = holding.promise
    await press('One')
    host.manage.installs = [app]
    host.holdInstalls = null
    await happen(() => host.emitOn('w1', 'build_changed', { app_id: 'app-1', problem: null }))
    await happen(() => holding.resolve())
    expect(text()).not.toContain('The last build failed')
  })
})

describe('a bundle that does as it likes', () => {
  const staying = async () => {
    await start()
    await press('One')
    host.staying = true
    await press('Close Window w1')
    expect(text()).toContain('Window w1 asks to stay open')
  }

  it('keeps its window for one press of ×, and not for a second one', async () => {
    await staying()
    clock = 4_999
    await press('Close Window w1')
    expect(host.asked.slice(-2)).toEqual(['close w1', 'force w1'])
    expect(bodies()).toHaveLength(0)
  })

  it('is asked again when the second press comes late', async () => {
    await staying()
    clock = 5_000
    await press('Close Window w1')
    expect(host.asked.slice(-2)).toEqual(['close w1', 'close w1'])
    expect(bodies()).toHaveLength(1)
  })

  it('is closed from the notice', async () => {
    await staying()
    await press('Close anyway')
    expect(host.asked.at(-1)).toBe('force w1')
    expect(text()).not.toContain('asks to stay open')
    expect(button('Close anyway')).toBeUndefined()
  })

  const front = () => document.querySelector('[data-front]')?.getAttribute('aria-label')
  /** The host tells that it raised a window: its number counts up. */
  const raised = (uuid: string, z = 99) =>
    happen(() => host.emitOn(uuid, 'window_focus_changed', { geometry: { w: 400, h: 300, z } }))

  describe('a click that the page notices late', () => {
    const opens = (opened_uuid: string, created: boolean, window_uuid = 'w1') =>
      happen(() =>
        host.emit('view_opened', { window_uuid, app_id: 'app-1', opened_uuid, view: 'main', created }),
      )
    /** Clicks into the document of a window: the page will see it when it looks. */
    const clickInto = (uuid: string) => {
      const key = desk.store.get().windows.find((one) => one.uuid === uuid)?.key ?? ''
      desk.focusChecks.add(function look() {
        desk.focusChecks.delete(look)
        desk.raise(key)
      })
    }

    it('leaves in front the window that it brought there', async () => {
      await start()
      await press('One')
      await press('One')
      await press('One')
      clickInto('w1')
      await raised('w2', 4)
      await opens('w2', false)
      expect(front()).toBe('Window w2')
      expect(host.asked.slice(-2)).toEqual(['focus w1', 'focus w2'])
      await raised('w1', 5)
      await raised('w2', 6)
      expect(front()).toBe('Window w2')
    })

    it('leaves the window that it opened in front', async () => {
      await start()
      await press('One')
      await press('One')
      clickInto('w1')
      await opens('w9', true)
      expect(host.asked.slice(-3)).toEqual(['focus w1', 'attach w9', 'focus w9'])
      await raised('w1', 4)
      expect(front()).toBe('Window w9')
    })

    it('leaves in front the window that its opener brought there, where the host had it in front', async () => {
      await start()
      await press('One')
      await press('One')
      const [first = '', second = ''] = desk.store.get().windows.map(({ key }) => key)
      await happen(() => desk.raise(first))
      await happen(() => desk.raise(second))
      // The host answered the app of the second window before it raised that window.
      await raised('w1', 3)
      await opens('w1', false, 'w2')
      expect(front()).toBe('Window w1')
      expect(host.asked.slice(-2)).toEqual(['focus w2', 'focus w1'])

      await happen(() => desk.raise(second))
      await opens('w1', false, 'w2')
      expect(front()).toBe('Window w2')
      clock = 1_000
      await happen(() => waiting.shift()?.())
      expect(front()).toBe('Window w1')
    })

    it('brings a window over nobody but its opener', async () => {
      await start()
      await press('One')
      await press('One')
      await press('One')
      clickInto('w3')
      await raised('w2', 4)
      await opens('w2', false)
      expect(front()).toBe('Window w3')
    })
  })

  it('raises its window once a second, and no more', async () => {
    await start()
    await press('One')
    await press('One')
    const [first = '', second = ''] = desk.store.get().windows.map(({ key }) => key)
    await raised('w1')
    expect(front()).toBe('Window w1')
    await happen(() => desk.raise(second))
    await raised('w1')
    expect(front()).toBe('Window w2')
    clock = 1_000
    await happen(() => waiting.shift()?.())
    expect(front()).toBe('Window w1')

    await happen(() => desk.raise(second))
    await raised('w1', 100)
    await happen(() => desk.raise(first))
    await happen(() => desk.raise(second))
    await raised('w2', 101)
    clock = 2_000
    await happen(() => waiting.shift()?.())
    expect(front()).toBe('Window w2')
  })

  it('has a card once a minute for errors that it did not catch, which all stand in the list', async () => {
    await start()
    await press('One')
    const report = (message: string) =>
      happen(() =>
        host.emitOn('w1', 'error_reported', { message, fatal: false, context: { source: 'error' } }),
      )
    await report('first')
    await report('second')
    clock = 60_000
    await report('third')
    expect(desk.store.get().notices.map(({ loud }) => loud)).toEqual([true, false, true])
    await happen(() => desk.setPanel('notices'))
    expect(text()).toContain('second')
  })
})

describe('a credential that an app asks for', () => {
  it('is told to the user with the plugin that needs it', async () => {
    await start()
    await press('One')
    const asked = { app_id: 'app_1', name: 'MAIL_KEY', description: 'Of your mail', plugins: ['Mail'] }
    await happen(() => host.emitOn('w1', 'credential_requested', asked))
    expect(text()).toContain('asks for the credential MAIL_KEY, which Mail needs')
  })
})

describe('who is signed in', () => {
  it('sees nothing of the user before', async () => {
    host.open.add('w7')
    host.user = 'ada'
    await start()
    await happen(() => host.emitOn('w7', 'error_reported', { message: 'a word of ada', fatal: false }))
    await press('ada, change name')
    expect(text()).toContain('You are signed in as ada')
    await press('Cancel')
    expect(bodies()).toHaveLength(1)

    await press('ada, change name')
    host.open.clear()
    await happen(() => void desk.signIn('eva', false))
    expect(bodies()).toHaveLength(0)
    expect(text()).toContain('Nothing is open')
    expect(text()).not.toContain('a word of ada')
    expect(localStorage.getItem('svc.user')).toBeNull()
  })

  it('signs out, and is signed in by nothing but a name that somebody gives', async () => {
    host.open.add('w7')
    localStorage.setItem('svc.user', 'ada')
    host.user = 'ada'
    await start()
    expect(bodies()).toHaveLength(1)
    await press('Sign out')
    expect([host.asked.at(-1), localStorage.getItem('svc.user')]).toEqual(['sign out', null])
    expect(bodies()).toHaveLength(0)
    expect(text()).toContain('Your name')
    // As in another tab, and after a reload.
    await happen(() => host.emit('signed_out'))
    await happen(() => void desk.begin())
    expect(text()).toContain('Your name')
    expect(host.asked.at(-1)).toBe('sign out')
  })

  it.each([
    [
      'has a sign-in of its own',
      () => Object.assign(host, { ownSignIn: true }),
      'This host has its own sign-in: sign out there',
    ],
    [
      'does not answer',
      () =>
        Object.assign(host, {
          trouble: new BridgeError({ code: 'host_unreachable', message: 'the host could not be reached' }),
        }),
      'could not be reached',
    ],
  ])('stays signed in where the host %s, and is told so', async (_name, spoil, sentence) => {
    host.user = 'ada'
    localStorage.setItem('svc.user', 'ada')
    await start()
    spoil()
    await press('Sign out')
    expect(text()).toContain(sentence)
    expect(text()).not.toContain('Your name')
    expect(localStorage.getItem('svc.user')).toBe('ada')
  })

  it('is asked nothing that the user before was asked', async () => {
    host.open.add('w7')
    host.user = 'ada'
    await start()
    await happen(() => host.emitOn('w7', 'tool_approval', { ...approval, args_text: 'secret' }))
    await happen(() => host.emitOn('w7', 'plug_asked', { ...plugAsked, window_uuid: 'w7' }))
    const asked = () => [desk.store.get().approvals.length, desk.store.get().plugAsks.open.length]
    expect(asked()).toEqual([1, 1])
    await press('Not now')
    expect(text()).toContain('secret')
    host.open.clear()
    await happen(() => void desk.signIn('eva', false))
    expect(asked()).toEqual([0, 0])
    expect(desk.store.get().plugAsks.putOff).toEqual([])
    expect(text()).not.toContain('secret')
  })

  it('sees nothing of the user before, where the page asked again who it is', async () => {
    host.open.add('w7')
    host.user = 'ada'
    await start()
    await happen(() => host.emitOn('w7', 'error_reported', { message: 'a word of ada', fatal: false }))
    host.user = 'eva'
    host.open.clear()
    await happen(() => desk.begin())
    expect(bodies()).toHaveLength(0)
    expect(desk.store.get().notices).toEqual([])
  })

  it('keeps the windows when the same name signs in again', async () => {
    localStorage.setItem('svc.user', 'eva')
    host.user = 'eva'
    host.open.add('w7')
    await start()
    const [body] = bodies()
    host.user = null
    await happen(() => host.emit('signed_out'))
    expect(body?.isConnected).toBe(true)
  })

  it('reads what is wrong when the host does not answer, and tries again', async () => {
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer within 10000 ms' })
    await start()
    expect(text()).toContain('The host does not respond')
    expect(text()).toContain('no answer within 10000 ms')
    host.trouble = null
    await press('Try again')
    expect(text()).toContain('Nothing is open')
  })
})

it('has one window, and nothing to complain of, when the host comes back while it is being opened', async () => {
  await start()
  const { promise, resolve } = Promise.withResolvers<void>()
  host.hold = promise
  await press('One')
  await happen(() => host.emit('host_back'))
  await happen(resolve)
  expect(bodies()).toHaveLength(1)
  expect(document.querySelectorAll('[data-window]')).toHaveLength(1)
  expect(text()).not.toContain('on this page already')
})

it('shows the 64 windows that were used last, and says how many more are open', async () => {
  for (let at = 0; at < 67; at++) host.open.add(`w${at}`)
  await start()
  expect(bodies()).toHaveLength(64)
  expect(host.asked).not.toContain('attach w2')
  expect(host.asked).toContain('attach w66')
  expect(text()).toContain('3 of your open windows are not shown: a page holds at most 64')
})
