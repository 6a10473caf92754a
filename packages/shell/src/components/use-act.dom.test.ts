import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noManage } from '../state/manage-state.ts'
import {
  button,
  field,
  find,
  held,
  type OpenManagePage,
  openManagePage,
  press,
  tab,
  text,
  type,
} from '../testing/manage-page.ts'
import { plugOf, refusal } from '../testing/manage-rows.ts'
import { happen } from '../testing/page.ts'

let bed: OpenManagePage
beforeEach(async () => {
  bed = await openManagePage()
  await press('New plugin')
  await type('name', 'weather')
  bed.manage.asked.length = 0
})
afterEach(() => bed.close())

const manage = () => bed.desk.store.get().manage
const mint = () => press('Mint the tool id')
const isBusy = () => button('Mint the tool id')?.dataset.loading

describe('what the host is asked to do', () => {
  it('is asked once, however often the button is pressed', async () => {
    const form = find<HTMLFormElement>('form[aria-label="Name and id"]')
    await happen(() => {
      form?.requestSubmit()
      form?.requestSubmit()
    })
    expect(bed.manage.asked).toEqual(['mint weather tool'])
    expect(isBusy()).toBeUndefined()
  })

  it.each([
    ['is done', null],
    ['is refused', refusal('quota_exceeded', 'too many')],
  ])('changes nothing for who signed in before it %s', async (_, trouble) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    bed.manage.hold = promise
    bed.manage.trouble = trouble
    await mint()
    expect(isBusy()).toBe('true')
    await happen(() => bed.desk.signIn('eva', false))
    resolve()
    await bed.pass(0)
    expect(manage()).toEqual(noManage)
    expect(bed.desk.store.get().said).toBe('')
    await press('Manage')
    await press('New plugin')
    expect([find('#manage [role=alert]'), isBusy()]).toEqual([null, undefined])
  })

  it('keeps why it was refused until it is tried again', async () => {
    bed.manage.trouble = refusal('invalid_arg', 'name must have a visible character', {
      hint: 'Give it one.',
      path: 'name',
    })
    await mint()
    expect(held()).toBe(field('name'))
    await tab('Runners')
    await tab('Plugins')
    expect(text('[aria-label="Name and id"]')).toContain('name must have a visible character. Give it one.')
    expect(field('name')?.getAttribute('aria-invalid')).toBe('true')
    bed.manage.trouble = null
    await mint()
    expect(text()).not.toContain('visible character')
  })

  it('signs in again where the host forgot who asks, and keeps what is typed', async () => {
    localStorage.setItem('svc.user', 'dev')
    bed.manage.trouble = refusal('invalid_token', 'nobody is signed in')
    await mint()
    expect(bed.host.asked).toEqual(['sign in dev'])
    expect(manage().newPlug.fields.name).toBe('weather')
  })
})

describe('what is typed of an own plugin', () => {
  it('is kept where more was typed while it was saved', async () => {
    const plug = plugOf('weather')
    bed.manage.plugs = [plug]
    await press('All plugins')
    await press('weather')
    await type('name', 'sun')
    const { promise, resolve } = Promise.withResolvers<void>()
    bed.manage.hold = promise
    await press('Save')
    await type('readme', 'More')
    resolve()
    await bed.pass(0)
    expect(bed.manage.plugs).toMatchObject([{ name: 'sun', readme: null }])
    expect(manage().edits[plug.tool_id]).toMatchObject({ name: 'sun', readme: 'More' })
    await type('readme', '')
    expect(manage().edits).toEqual({})
  })
})
