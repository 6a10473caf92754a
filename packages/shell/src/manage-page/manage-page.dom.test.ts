import { focusManager } from '@tanstack/react-query'
import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import {
  button,
  field,
  find,
  held,
  type OpenManagePage,
  openManagePage,
  press,
  text,
  type,
} from '../testing/manage-page.ts'
import { plugOf, refusal } from '../testing/manage-rows.ts'
import { READ_TAB_MS } from './lists.ts'

let bed: OpenManagePage
afterEach(() => bed.close())

async function start(...prepared: Parameters<typeof openManagePage>): Promise<void> {
  bed = await openManagePage(...prepared)
}
const pass = (ms: number) => act(() => bed.clock.pass(ms))

describe('the Manage page', () => {
  it('stands over a desktop whose windows are not loaded anew, and gives the keyboard back', async () => {
    await start()
    await press('Back to the desktop')
    expect(held()).toBe(button('Manage'))
    await act(async () => void bed.desk.open('app-1'))
    const [body] = document.querySelectorAll('[data-window] i')
    await press('Manage')
    expect(held()?.textContent).toBe('Manage')
    expect(held()?.tagName).toBe('H2')
    expect(find('main[aria-label=Desktop]')?.closest('[inert]')).not.toBeNull()
    expect(document.title).toBe('Manage · svc')
    await press('Back to the desktop')
    expect(find('main[aria-label=Desktop]')?.closest('[inert]')).toBeNull()
    expect(body?.isConnected).toBe(true)
    expect(bed.host.asked.filter((what) => what.startsWith('mount'))).toHaveLength(1)
  })

  it('is asked nothing by who does not see it', async () => {
    await start()
    bed.manage.asked.length = 0
    await pass(READ_TAB_MS.plugins)
    expect(bed.manage.asked).toEqual(['own plugs'])
    await act(async () => focusManager.setFocused(false))
    await pass(READ_TAB_MS.plugins)
    bed.manage.asked.length = 0
    await pass(10 * READ_TAB_MS.plugins)
    expect(bed.manage.asked).toEqual([])
    await act(async () => focusManager.setFocused(undefined))
    await pass(0)
    expect(bed.manage.asked).toEqual(['own plugs', 'others'])
  })

  it('asks nothing for somebody whose sign-in the host forgot', async () => {
    await start()
    await act(async () => void bed.desk.open('app-1'))
    bed.host.user = null
    await act(async () => bed.host.emit('signed_out'))
    expect(find('#manage')).not.toBeNull()
    bed.manage.asked.length = 0
    await pass(10 * READ_TAB_MS.plugins)
    expect(bed.manage.asked).toEqual([])
  })

  it('is empty for the next who signs in', async () => {
    await start((manage) => {
      manage.plugs = [plugOf('weather')]
    })
    await press('New plugin')
    await type('name', 'a word of mine')
    await act(async () => bed.desk.changeName())
    await act(() => bed.desk.signIn('eva', false))
    expect(bed.desk.store.get().manage.isOpen).toBe(false)
    await press('Manage')
    expect(text()).not.toContain('All plugins')
    await press('New plugin')
    expect(field('name')?.value).toBe('')
  })

  it('says what cannot be read, and reads it when it can', async () => {
    await start((manage) => {
      manage.plugs = [plugOf('weather')]
    })
    bed.manage.trouble = refusal('host_unreachable', 'no answer')
    await pass(READ_TAB_MS.plugins)
    expect(text()).toContain('no answer')
    expect(text()).toContain('weather')
    bed.manage.trouble = null
    await press('Try again')
    expect(text()).not.toContain('no answer')
  })
})
