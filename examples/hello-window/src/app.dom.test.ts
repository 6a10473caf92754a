import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHost, type TestWindow, type WindowOptions } from '@svc/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import manifest from '../public/manifest.json' with { type: 'json' }
import { byId } from './by-id.ts'

const html = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8')

let host: TestHost
beforeEach(async () => {
  host = await createTestHost({ manifest })
})
afterEach(() => host.close())

/** Opens the app in a window. */
async function open(options: WindowOptions = {}): Promise<TestWindow> {
  document.documentElement.lang = 'en'
  document.body.innerHTML = html.slice(html.indexOf('<body>'))
  const opened = await host.openWindow({ ...options, document: globalThis })
  vi.resetModules()
  await import('./main.ts')
  await host.clock.settled()
  return opened
}
const press = async (id: string) => {
  byId(id).click()
  await host.clock.settled()
}
const write = (id: string, text: string) => {
  byId(id, HTMLInputElement).value = text
}
const textOf = (id: string) => byId(id).textContent
/** The newest line of a call or an event, without the time that it took. */
const lineOf = (what: string) => {
  const lines = [...byId('calls').querySelectorAll('li')]
  return lines.find((line) => line.querySelector('.what')?.textContent === what)?.querySelector('.answer')
    ?.textContent
}

it('shows what the host said, and the methods that it may call', async () => {
  await open()
  const answer = [...byId('answer').children].map(({ textContent }) => textContent)
  expect(answer.slice(4, 8)).toEqual(['View', 'main', 'Size', '780 × 680'])
  const methods = [...byId('methods').children].map(({ textContent }) => textContent)
  expect(methods).toContain('window.set_title')
  expect(methods.filter((name) => !name?.startsWith('window.'))).toEqual([])
})

it('gives its window a title, and hears that it has it', async () => {
  const { window } = await open()
  write('title', 'Hello, moon')
  await press('set-title')
  expect([window.title, lineOf('title_changed')]).toEqual(['Hello, moon', '{"title":"Hello, moon"}'])
  write('title', '')
  await press('set-title')
  expect([window.title, lineOf('window.set_title')]).toEqual([
    'Hello, moon',
    expect.stringMatching(/^invalid_arg · .*title/),
  ])
})

verifies('window.resize.clamped', 'takes a size that its view allows', async () => {
  await open()
  write('width', '700')
  write('height', '660')
  await press('resize')
  expect(textOf('size-answer')).toBe('The window is 700 × 660 now.')
  write('width', '5000')
  await press('resize')
  expect(textOf('size-answer')).toBe('Asked for 5000 × 660; this view allows 1000 × 660.')
})

verifies(
  ['design.denied_by', 'design.undeclared'],
  'shows why a call that its manifest does not declare is denied',
  async () => {
    await open()
    await press('refused')
    expect(lineOf('storage.list')).toMatch(/^permission_denied · .*\. .*ui\.host_api\.storage/)
  },
)

it('opens its second view in a window of its own', async () => {
  await open()
  write('message', 'Greetings from <b>here</b>')
  await press('send')
  expect(lineOf('window.open_view')).toMatch(/window_uuid/)
  expect((await host.bridge.listWindows()).map(({ view }) => view).sort()).toEqual(['main', 'postcard'])
})

it.each([
  [{ message: 'Greetings from <b>here</b>', sent_at: 'yesterday' }, 'Greetings from <b>here</b>', ''],
  [{ message: 'Hi', sent_at: '2026-01-01T12:00:00.000Z' }, 'Hi', expect.stringMatching(/^Sent at \d+:00:00/)],
  [undefined, 'No message: this window was opened without one.', ''],
  [[7], 'No message: this window was opened without one.', ''],
])('shows the payload %j as a postcard', async (payload, greeting, sent) => {
  await open({ view: 'postcard', payload })
  expect([textOf('greeting'), textOf('sent')]).toEqual([greeting, sent])
  expect(document.querySelector('b')).toBeNull()
})

it('goes on where its token has expired', async () => {
  const { window } = await open()
  await host.fault.expireToken()
  write('title', 'Hello, moon')
  await press('set-title')
  expect([window.title, lineOf('window.set_title')]).toEqual(['Hello, moon', '{}'])
})

it('hears what happened while the event stream was cut', async () => {
  await open()
  await host.fault.cutStream()
  write('title', 'Hello, moon')
  await press('set-title')
  expect(lineOf('title_changed')).toBeUndefined()
  await host.clock.advance(1_000)
  expect(lineOf('title_changed')).toBe('{"title":"Hello, moon"}')
})

it('shows that the host cannot be reached, and calls it again', async () => {
  await open()
  await host.fault.hostGone()
  await press('focus')
  expect(lineOf('window.focus')).toMatch(/^host_unreachable · /)
  await host.fault.hostBack()
  await press('focus')
  expect(lineOf('window.focus')).toBe('{}')
})

it('closes its window with a reason', async () => {
  const { window } = await open()
  const closed = new Promise((resolve) => window.on('closed', resolve))
  write('reason', 'All done')
  await press('close')
  expect(await closed).toMatchObject({ reason: 'All done' })
})
