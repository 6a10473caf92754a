import { afterEach, beforeEach, expect, it } from 'vitest'
import { button, happen, type OpenPage, openPage, press } from '../testing/page.ts'

let bed: OpenPage

beforeEach(async () => {
  bed = await openPage()
  await happen(() => bed.desk.open('app-1'))
})
afterEach(() => bed.close())

const text = () => document.body.textContent ?? ''
const windows = () => document.querySelectorAll('[data-window]').length
/** Another tab changes the apps of the user. */
const elsewhere = (change: (installs: typeof bed.host.manage.installs) => typeof bed.host.manage.installs) =>
  happen(() => {
    bed.host.manage.installs = change(bed.host.manage.installs)
    bed.host.onTab()
  })
const update = () => elsewhere((installs) => installs.map((one) => ({ ...one, version: '9.0.0' })))

it('says in a window that another version of its app is installed, and opens it anew', async () => {
  expect(button('Reload Window w1')).toBeUndefined()
  await update()
  expect(text()).toContain('One 9.0.0 is installed. This window still runs ')
  const before = bed.desk.store.get().windows.map(({ rect }) => rect)
  await press('Reload Window w1')
  expect([windows(), bed.desk.store.get().windows.map(({ rect }) => rect)]).toEqual([1, before])
  expect([text().includes('9.0.0 is installed'), bed.host.asked.at(-1)]).toEqual([false, 'mount app-1'])
})

it('says so of a window that was open when the page was loaded', async () => {
  await update()
  bed.host.open.add('w7')
  await happen(() => bed.host.onTab())
  expect(button('Reload Window w7')).toBeDefined()
})

it('keeps the windows of the task bar in the order in which they were opened', async () => {
  bed.host.upsideDown = true
  for (const uuid of ['w7', 'w8', 'w9']) bed.host.open.add(uuid)
  await happen(() => bed.host.onTab())
  const shown = [...document.querySelectorAll('#tasks li')].map((task) => task.textContent)
  expect(shown.map((one) => one?.slice(-2))).toEqual(['w1', 'w7', 'w8', 'w9'])
})

it('leaves a window that asks to stay open', async () => {
  await update()
  bed.host.staying = true
  await press('Reload Window w1')
  expect([windows(), text().includes('asks to stay open')]).toEqual([1, true])
})

it('shows what another tab opened, installed and uninstalled', async () => {
  bed.host.open.add('w7')
  await elsewhere(([one]) => (one ? [one, { ...one, app_id: 'app-2', slug: 'two', name: 'Two' }] : []))
  expect(windows()).toBe(2)
  expect(document.querySelector('#apps')?.textContent).toContain('Two')
  await elsewhere(([one]) => (one ? [one] : []))
  expect(document.querySelector('#apps')?.textContent).not.toContain('Two')
})

it('asks nothing for another tab while the host is gone', async () => {
  await happen(() => bed.host.emit('host_lost'))
  bed.host.open.add('w7')
  await happen(() => bed.host.onTab())
  expect(windows()).toBe(1)
})

it('tells the other tabs of a window that it opened', async () => {
  expect(bed.host.tabNews).toBe(1)
  await happen(() => bed.desk.open('app-1'))
  expect(bed.host.tabNews).toBe(2)
})
