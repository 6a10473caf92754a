import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import type { Svc } from '@svc/sdk'
import { createTestHost, type TestHost, type TestWindow } from '@svc/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import manifest from '../public/manifest.json' with { type: 'json' }
import { byId } from './by-id.ts'

const html = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8')

let host: TestHost
let opened: TestWindow
/** Another window of the app, which writes what the app has not seen. */
let other: Svc
beforeEach(async () => {
  host = await createTestHost({ manifest })
  other = (await host.openWindow()).svc
  document.documentElement.lang = 'en'
  document.body.innerHTML = html.slice(html.indexOf('<body>'))
  opened = await host.openWindow({ document: globalThis })
  vi.resetModules()
  await import('./main.ts')
})
afterEach(() => host.close())

const press = async (id: string) => {
  byId(id).click()
  await host.clock.settled()
}
const write = (text: string) => {
  byId('text', HTMLTextAreaElement).value = text
  byId('text').dispatchEvent(new Event('input'))
}
const add = async (name: string) => {
  byId('new-name', HTMLInputElement).value = name
  await press('add')
}
const search = async (prefix: string) => {
  byId('prefix', HTMLInputElement).value = prefix
  byId('prefix').dispatchEvent(new Event('input'))
  await host.clock.settled()
}
const textOf = (id: string) => byId(id).textContent
const names = () => [...document.querySelectorAll('.entry-name')].map(({ textContent }) => textContent)
const stored = async (key: string) => (await other.storage.get({ key })).value
/** A note that the app shows as it was when the other window writes. */
async function openNote(mine: string, theirs: string | null): Promise<void> {
  await add('Groceries')
  write('Beans')
  await press('save')
  const key = 'note/groceries'
  if (theirs === null) await other.storage.delete({ key })
  else await other.storage.set({ key, value: theirs, metadata: { name: 'Groceries' } })
  write(mine)
}

it('begins without a note, saves one, and has its name as title', async () => {
  expect(textOf('no-notes')).toBe('No notes yet.')
  await add('Groceries')
  write('Bread\nMilk')
  expect(textOf('state')).toBe('Not saved')
  await press('save')
  expect([textOf('state'), names()]).toEqual(['Saved', ['Groceries']])
  expect(await stored('note/groceries')).toBe('Bread\nMilk')
  expect(opened.window.title).toBe('Groceries – Notes')
})

verifies(
  ['storage.list.prefix', 'decision.storage.prefix'],
  'finds names by their beginning, and takes no character for a wildcard',
  async () => {
    for (const name of ['Groceries', 'Garden plan', '100% sure']) await add(name)
    await search('G')
    expect(names()).toEqual(['Garden plan', 'Groceries'])
    await search('gr')
    expect(names()).toEqual(['Groceries'])
    await search('%')
    expect([names(), textOf('no-notes')]).toEqual([[], 'No name begins with “%”.'])
  },
)

it('puts both versions of a line into the merged text, the own one first', async () => {
  await openNote('Beans\nBlack tea', 'Beans\nGreen tea')
  await press('save')
  expect(byId('conflict').hidden).toBe(false)
  await press('merge')
  expect(textOf('state')).toBe('Merged, not saved: both versions are in 1 place, yours first')
  expect(byId('text', HTMLTextAreaElement).value).toBe('Beans\nBlack tea\nGreen tea')
  await press('save')
  expect(await stored('note/groceries')).toBe('Beans\nBlack tea\nGreen tea')
})

verifies(
  'storage.delete.if_match',
  'does not delete a note that was changed meanwhile, and shows its new text',
  async () => {
    await openNote('Beans', 'Rice')
    await press('delete')
    expect(textOf('state')).toBe('Not deleted: another window changed it. This is its new text')
    expect(byId('text', HTMLTextAreaElement).value).toBe('Rice')
  },
)

verifies(
  'decision.storage.if_match.missing',
  'does not lose the text for a note that was deleted meanwhile',
  async () => {
    await openNote('Still wanted', null)
    await press('save')
    expect(textOf('theirs')).toBe('Deleted')
    await press('keep-mine')
    expect([textOf('state'), await stored('note/groceries')]).toEqual(['Saved', 'Still wanted'])
  },
)

it('asks before it closes with a text that is not saved', async () => {
  await add('Groceries')
  write('Almost lost')
  expect(await opened.window.close()).toBe(false)
  expect(byId('unsaved').hidden).toBe(false)
  await press('save-close')
  expect(await stored('note/groceries')).toBe('Almost lost')
  expect((await host.bridge.listWindows()).length).toBe(1)
})

it('keeps the text where the host is away, and saves it when it is back', async () => {
  await add('Groceries')
  write('Bread')
  await host.fault.hostGone()
  await press('save')
  expect(textOf('state')).toBe('Not saved')
  expect(textOf('trouble')).toMatch(/^the host could not be reached/)
  await host.fault.hostBack()
  await press('save')
  expect([textOf('state'), byId('trouble').hidden]).toEqual(['Saved', true])
})

const focus = async (focused: boolean) => {
  opened.window.setContext({ theme: 'light', locale: 'en', focused })
  await host.clock.settled()
}

it.each([
  ['the same', 'Beans', 'Beans', 'Saved', 'Beans'],
  ['another text', 'Beans', 'Rice', 'Another window changed it. This is its new text', 'Rice'],
  ['nothing', 'Beans', null, 'Another window has deleted this note', 'Beans'],
  [
    'another text, and the own is not saved',
    'Peas',
    'Rice',
    'Not saved. Another window has changed this note',
    'Peas',
  ],
])('says what is true when its user comes back and there is %s', async (_, mine, theirs, state, text) => {
  if (theirs === 'Beans') {
    await add('Groceries')
    write('Beans')
    await press('save')
  } else await openNote(mine, theirs)
  await focus(false)
  expect(textOf('state')).toBe(mine === 'Beans' ? 'Saved when you left this window' : 'Not saved')
  await focus(true)
  expect([textOf('state'), byId('text', HTMLTextAreaElement).value]).toEqual([state, text])
})
