import { beforeEach, describe, expect, it } from 'vitest'
import { createDesk, type Desk } from '../desk/desk.ts'
import { noManage } from '../state/manage-state.ts'
import { openMemory } from '../state/memory.ts'
import { stillClock } from '../testing/clock.ts'
import { type FakeHost, fakeHost } from '../testing/fake-bridge.ts'
import { refusal } from '../testing/manage-api.ts'

let host: FakeHost
let desk: Desk

beforeEach(async () => {
  host = fakeHost()
  host.user = 'ada'
  const storage = new Map([['svc.user', 'ada']])
  const memory = openMemory({
    getItem: (name) => storage.get(name) ?? null,
    setItem: (name, text) => void storage.set(name, text),
    removeItem: (name) => void storage.delete(name),
  })
  desk = createDesk({ ...host, ...stillClock(), memory, locale: 'en' })
  await desk.begin()
  desk.manage.maker.change(({ fields }) => ({ fields: { ...fields, name: 'weather' } }))
})

const manage = () => desk.store.get().manage

describe('what the host is asked to do', () => {
  it('is asked once, however often the button is pressed', async () => {
    const done = await Promise.all([desk.manage.maker.mint(), desk.manage.maker.mint()])
    expect(done).toEqual([true, false])
    expect(host.manage.asked).toEqual(['mint weather tool'])
    expect(manage().work).toEqual({ mint: { isBusy: false, trouble: null } })
  })

  it.each([
    ['is done', null],
    ['is refused', refusal('quota_exceeded', 'too many')],
  ])('changes nothing for who signed in before it %s', async (_, trouble) => {
    host.manage.trouble = trouble
    const minting = desk.manage.maker.mint()
    expect(manage().work.mint?.isBusy).toBe(true)
    const entering = desk.signIn('eva', false)
    await Promise.all([minting, entering])
    expect(manage()).toEqual(noManage)
    expect(desk.store.get().said).toBe('')
  })

  it('keeps why it was refused until it is tried again', async () => {
    host.manage.trouble = refusal('invalid_arg', 'name must have a visible character', {
      hint: 'Give it one.',
      path: 'name',
    })
    expect(await desk.manage.maker.mint()).toBe(false)
    desk.manage.setOpen(true)
    desk.manage.showTab('runners')
    expect(manage().work.mint?.trouble).toEqual({
      code: 'invalid_arg',
      sentence: 'name must have a visible character',
      hint: 'Give it one.',
      field: 'name',
    })
    host.manage.trouble = null
    await desk.manage.maker.mint()
    expect(manage().work.mint?.trouble).toBeNull()
  })

  it('signs in again where the host forgot who asks, and keeps what is typed', async () => {
    host.manage.trouble = refusal('invalid_token', 'nobody is signed in')
    await desk.manage.maker.mint()
    expect(host.asked).toEqual(['sign in ada'])
    expect(manage().newPlug.fields.name).toBe('weather')
  })
})

describe('what is typed of an own plugin', () => {
  it('is kept where more was typed while it was saved', async () => {
    const plug = await host.manage.api.commit('drf_weather', {})
    desk.manage.setOpen(true)
    desk.manage.goTo({ at: 'own', toolId: plug.tool_id })
    await new Promise((done) => setImmediate(done))
    desk.manage.keeper.edit(plug.tool_id, () => ({ name: 'sun' }))
    const saving = desk.manage.keeper.save(plug.tool_id)
    desk.manage.keeper.edit(plug.tool_id, () => ({ readme: 'More' }))
    await saving
    expect(host.manage.plugs).toMatchObject([{ name: 'sun', readme: null }])
    expect(manage().edits[plug.tool_id]).toMatchObject({ name: 'sun', readme: 'More' })
    desk.manage.keeper.edit(plug.tool_id, () => ({ readme: '' }))
    expect(manage().edits).toEqual({})
  })
})
