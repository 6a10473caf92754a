import { verifies } from '@svc/conformance/verifies'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { axeInBoth } from './testing/axe.ts'
import { appsOf, insideOf, keyboardOf, tinyShells, windowOf } from './testing/tiny-shell.ts'

const shell = tinyShells()
let page: Page

beforeEach(async () => {
  ;({ page } = await shell().open())
})

const keyboard = () => expect.poll(() => keyboardOf(page))
const press = async (...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const finder = () => page.getByRole('dialog', { name: 'Find an app, a window or a command' })

/** Opens the first view and comes to rest on its title. */
async function openTiny(): Promise<void> {
  await keyboard().toMatch(/Tiny/)
  await press('Enter')
  await insideOf(page, 'Tiny').getByText('Hello').waitFor()
  await keyboard().toBe('Tiny')
}

verifies(
  'shell.keys',
  'leads from the first Tab of a load to a call of the host in few presses',
  async () => {
    await page.reload()
    await appsOf(page).waitFor()
    await press('Tab')
    await keyboard().toBe('Skip to the apps')
    await press('Enter')
    await openTiny()
    // Into the document, to its first button, which gives its window another title.
    await press('Enter', 'Tab', 'Enter')
    await windowOf(page, 'Renamed').waitFor()
  },
)

it('skips to the window in front after a reload', async () => {
  await openTiny()
  await page.reload()
  await insideOf(page, 'Tiny').getByText('Hello').waitFor()
  await press('Tab')
  await keyboard().toBe('Skip to Tiny')
  await press('Enter')
  await keyboard().toBe('Tiny')
})

it('finds a view by its name, and a window, and gives the keyboard back on Escape', async () => {
  await keyboard().toMatch(/Tiny/)
  await press('Control+k')
  await page.keyboard.type('second')
  expect(await finder().getByRole('option').allTextContents()).toEqual(['Open Second of Tiny'])
  await press('Enter')
  await insideOf(page, 'Second').getByText('Hello').waitFor()
  await keyboard().toBe('Second')

  await press('Control+k', 'Escape')
  expect(await finder().count()).toBe(0)
  await keyboard().toBe('Second')
  await press('Control+k')
  await page.keyboard.type('show notices')
  await press('Enter')
  await keyboard().toBe('Notices list')
})

it('goes round the parts of the page by F6, and back', async () => {
  await openTiny()
  await press('F6')
  await keyboard().toBe('Tiny')
  expect(await page.evaluate(`document.activeElement.closest('nav').getAttribute('aria-label')`)).toBe(
    'Windows',
  )
  await press('F6')
  await keyboard().toMatch(/^Find/)
  await press('F6')
  await keyboard().toMatch(/^Tiny/)
  await press('Shift+F6', 'Shift+F6', 'Shift+F6')
  expect(await page.evaluate(`document.activeElement.id`)).toMatch(/^grip-/)
})

const nothingFound = async () => {
  // What the app had to tell came before the answer to this.
  await insideOf(page, 'Tiny').getByRole('button', { name: 'title' }).click()
  await windowOf(page, 'Renamed').waitFor()
  expect(await finder().count()).toBe(0)
}
const inTiny = (script: string) => page.frames().at(-1)?.evaluate(script)

it('does the same in an app that does not use the key, and gives the keyboard back', async () => {
  await openTiny()
  await press('Enter', 'Tab', 'Control+k')
  await finder().waitFor()
  await press('Escape')
  await expect.poll(() => page.evaluate(`document.activeElement.tagName`)).toBe('IFRAME')
  await press('F6')
  await keyboard().toBe('Tiny')
  await press('Shift+F6', 'Enter', 'Tab', 'Alt+w')
  await page.getByText('Nothing is open').waitFor()
})

it.each([
  ['the app uses it', `addEventListener('keydown', (event) => event.preventDefault())`],
  [
    'a part of the app uses it',
    `document.body.addEventListener('keydown', (event) => event.preventDefault())`,
  ],
  [
    'a script made it up',
    `setTimeout(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true })))`,
    'Shift',
  ],
  ['it is text', '0', 'k'],
])('does nothing of the page where %s', async (_, script, key = 'Control+k') => {
  await openTiny()
  await press('Enter', 'Tab')
  await inTiny(script)
  await press(key)
  await nothingFound()
})

it('leaves what types another character on this keyboard to a field, and takes it elsewhere', async () => {
  await openTiny()
  await press('Enter', 'Tab')
  const keys = await page.context().newCDPSession(page)
  const pressAlt = () =>
    keys.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '∑', code: 'KeyW', text: '∑', modifiers: 1 })
  await inTiny(`document.body.innerHTML += '<input>'; document.querySelector('input').focus()`)
  await pressAlt()
  await inTiny(`new Promise((done) => setTimeout(done))`)
  expect(await windowOf(page, 'Tiny').count()).toBe(1)
  await inTiny(
    `document.querySelector('input').outerHTML = '<button id=on>on</button>'; document.querySelector('#on').focus()`,
  )
  await pressAlt()
  await page.getByText('Nothing is open').waitFor()
})

it('does nothing for an app that has not the keyboard, or claims another key', async () => {
  await openTiny()
  const claim = (key: string) => inTiny(`parent.postMessage({ svc: 'key', key: '${key}' }, '*')`)
  for (const key of ['Mod+K', 'Alt+W']) await claim(key)
  await press('Enter', 'Tab')
  for (const key of ['?', 'Mod+A', 'toString']) await claim(key)
  await nothingFound()
})

it('minimises and closes the window in front from anywhere on the page', async () => {
  await openTiny()
  await press('F6', 'Alt+n')
  await expect.poll(() => windowOf(page, 'Tiny').isVisible()).toBe(false)
  await page.getByRole('navigation', { name: 'Windows' }).getByRole('button').press('Enter')
  await expect.poll(() => windowOf(page, 'Tiny').isVisible()).toBe(true)
  await press('Alt+w')
  await page.getByText('Nothing is open').waitFor()
})

it('lists its keys on ?, but not for who types one; axe clean in light and in dark', async () => {
  await keyboard().toMatch(/Tiny/)
  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('In an app they work too').waitFor()
  expect(await axeInBoth(page)).toEqual([])
  await press('Escape')
  expect(await help.count()).toBe(0)
  await press('Control+k')
  await page.keyboard.type('?')
  expect(await help.count()).toBe(0)
  await finder().getByText('Nothing has this name.').waitFor()
  expect(await axeInBoth(page)).toEqual([])
  await press('Backspace')
  expect(await axeInBoth(page)).toEqual([])
})
