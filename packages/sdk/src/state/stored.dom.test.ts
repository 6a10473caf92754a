import { manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { type Svc, svc } from '@svc/sdk'
import { createTestHost, type TestHost } from '@svc/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createStored } from './stored.ts'

let host: TestHost
/** Another window of the app. */
let other: Svc

beforeEach(async () => {
  host = await createTestHost({ manifest })
  other = (await host.openWindow()).svc
  await host.openWindow({ document: globalThis })
})
afterEach(() => host.close())

const write = (value: unknown) => other.storage.set({ key: 'note', value })
const stored = async () => (await other.storage.get({ key: 'note' })).value

async function open() {
  const note = createStored(svc, 'note', { initial: '' })
  const states: string[] = []
  note.subscribe(({ state }) => states.push(state))
  await host.clock.settled()
  return { get: note.get, states }
}

verifies('bindings.stored', 'begins with the initial value where nothing is stored, and writes', async () => {
  const { get, states } = await open()
  expect(get()).toMatchObject({ state: 'ready', value: '' })
  const saving = get().set('Milk')
  expect(get()).toMatchObject({ state: 'saving', value: 'Milk' })
  expect(await saving).toMatchObject({ state: 'ready', value: 'Milk' })
  expect(await stored()).toBe('Milk')
  expect(states).toEqual(['loading', 'ready', 'saving', 'ready'])
})

verifies('bindings.stored', 'shows what is stored, and reads it again', async () => {
  await write('Milk')
  const { get } = await open()
  expect(get().value).toBe('Milk')
  await write('Bread')
  expect(await get().reload()).toMatchObject({ state: 'ready', value: 'Bread' })
})

it('writes the last of the values that were set during a write', async () => {
  const { get } = await open()
  await Promise.all(['a', 'ab', 'abc'].map((text) => get().set(text)))
  const { generation, value } = await other.storage.get({ key: 'note' })
  expect([value, generation]).toEqual(['abc', 2])
})

it('writes what a listener sets when it is told that the write before has ended', async () => {
  const note = createStored(svc, 'note', { initial: 0 })
  note.subscribe(({ state, value, set }) => {
    if (state === 'ready' && value < 3) set(value + 1)
  })
  await host.clock.settled()
  expect([note.get().state, await stored()]).toEqual(['ready', 3])
})

verifies(
  'bindings.stored',
  'overwrites nothing that it has not seen, and then either value wins',
  async () => {
    await write('Milk')
    const { get } = await open()
    await write('theirs')
    expect(await get().set('mine')).toMatchObject({
      state: 'conflict',
      value: 'mine',
      conflict: { theirs: 'theirs' },
    })
    expect(await stored()).toBe('theirs')
    expect(await get().reload()).toMatchObject({ state: 'ready', value: 'theirs', conflict: undefined })
    await write('theirs again')
    await get().set('mine')
    expect(await get().set('mine after all')).toMatchObject({ state: 'ready', conflict: undefined })
    expect(await stored()).toBe('mine after all')
  },
)

verifies(
  'bindings.stored',
  'is in conflict where the value was deleted, or stored before it was read',
  async () => {
    await write('Milk')
    const { get } = await open()
    await other.storage.delete({ key: 'note' })
    expect(await get().set('mine')).toMatchObject({ state: 'conflict', conflict: { theirs: undefined } })
    expect(await get().set('mine')).toMatchObject({ state: 'ready' })
    const unread = createStored(svc, 'note', { initial: 'new' })
    expect(await unread.get().set('newer')).toMatchObject({ state: 'conflict', conflict: { theirs: 'mine' } })
  },
)

it('is in no conflict with its own value', async () => {
  const { get } = await open()
  await write('same')
  expect(await createStored(svc, 'note', { initial: '' }).get().set('same')).toMatchObject({ state: 'ready' })
  await get().set('one')
  await write('two')
  expect(await get().set('two')).toMatchObject({ state: 'ready', value: 'two' })
})

it('fails where the host is gone, and goes on when it is back', async () => {
  const { get } = await open()
  await host.fault.hostGone()
  expect(await get().set('Milk')).toMatchObject({
    state: 'failed',
    value: 'Milk',
    error: { code: 'host_unreachable' },
  })
  expect(await get().reload()).toMatchObject({ state: 'failed', value: 'Milk' })
  await host.fault.hostBack()
  expect(await get().set('Milk')).toMatchObject({ state: 'ready', error: undefined })
  expect(await stored()).toBe('Milk')
})

verifies('bindings.unmount', 'writes to its end when its last subscriber leaves', async () => {
  const note = createStored(svc, 'note', { initial: '' })
  const stop = note.subscribe(() => undefined)
  const saving = note.get().set('Milk')
  stop()
  await saving
  expect(await stored()).toBe('Milk')
})
