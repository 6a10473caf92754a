import { createTools, manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { svc } from '@svc/sdk'
import { createTestHost, type TestHost, type TestWindow } from '@svc/testing'
import { mount, tick, unmount } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  useBeforeClose,
  useCall,
  useConnection,
  useJob,
  useSession,
  useStored,
  useTitle,
  useTool,
} from './index.ts'
import Effects from './testing/effects.svelte'
import Use from './testing/use.svelte'
import Weather from './testing/weather.svelte'

let host: TestHost
let opened: TestWindow
let lines: string[]
let leave: () => Promise<void>
const warnings = vi.spyOn(console, 'warn')
const errors = vi.spyOn(console, 'error')

beforeEach(async () => {
  lines = []
  warnings.mockClear()
  errors.mockClear()
  host = await createTestHost({
    manifest,
    tools: createTools({ lines }),
    models: { default: [{ text: ['One ', 'two'], everyMs: 100 }] },
  })
  opened = await host.openWindow({ document: globalThis })
})
afterEach(async () => {
  await leave()
  await host.close()
  expect([warnings.mock.calls, errors.mock.calls]).toEqual([[], []])
})

/** Puts a component on the page. */
function show(component: typeof Use, props: object = {}) {
  const target = document.body.appendChild(document.createElement('main'))
  const shown = mount(component, { target, props })
  leave = async () => {
    leave = async () => {}
    await unmount(shown)
    target.remove()
  }
  return { shown, target, text: () => target.textContent?.trim() }
}

/** Mounts a component that uses what `use` returns, and shows the text that `show` makes of it. */
function mountUse<Used>(use: () => Used, textOf?: (used: Used) => unknown) {
  const { shown, text } = show(Use, { use, show: textOf })
  return { ...(shown.getUsed() as Used), text }
}

verifies('bindings.calls', 'useTool and useCall show the states of a call', async () => {
  const { forecast, twice, text } = mountUse(
    () => ({
      forecast: useTool<{ sky: string }>('weather', 'forecast'),
      twice: useCall(async (_, n: number) => n * 2),
    }),
    ({ forecast, twice }) => [forecast.state, forecast.value?.sky, twice.value],
  )
  expect(text()).toBe('["idle",null,null]')
  const call = forecast.call({ city: 'Rome' })
  await tick()
  expect(text()).toBe('["running",null,null]')
  await Promise.all([call, twice.call(4)])
  await tick()
  expect(text()).toBe('["done","clear",8]')
  await forecast.call({ city: 'Atlantis' })
  await tick()
  expect([text(), forecast.error?.code]).toEqual(['["failed","clear",8]', 'tool_failed'])
})

verifies('bindings.strict', 'an effect that calls does so once for each value that it reads', async () => {
  const { target } = show(Effects)
  await host.clock.settled()
  expect([lines, target.textContent]).toEqual([['forecast Rome'], 'Rome: done'])
  target.querySelector('button')?.click()
  await host.clock.settled()
  expect([lines.slice(1), target.textContent]).toEqual([['forecast Oslo'], 'Oslo: done'])
})

verifies('bindings.unmount', 'an unmount gives a call up, and leaves job and write to the host', async () => {
  const { wait, count, note } = mountUse(() => ({
    wait: useTool('weather', 'wait'),
    count: useJob('weather', 'count'),
    note: useStored('note', { initial: '' }),
  }))
  const ends = [wait.call(), count.start({ to: 1 }), note.set('Milk')] as const
  await host.clock.settled()
  await leave()
  const [call, , saved] = await Promise.all(ends)
  await host.clock.settled()
  expect(lines.toSorted()).toEqual(['aborted', 'count 1', 'wait'])
  expect([call.state, saved.state]).toEqual(['idle', 'ready'])
})

verifies('bindings.jobs', 'useJob shows progress and result', async () => {
  const { count, text } = mountUse(
    () => ({ count: useJob<{ counted: number }, { n: number }>('weather', 'count') }),
    ({ count }) => [count.state, count.progress?.data.n, count.value?.counted],
  )
  const end = count.start({ to: 3 })
  await host.clock.advance(1_000)
  expect(await end).toMatchObject({ state: 'done' })
  expect(text()).toBe('["done",3,3]')
})

verifies('bindings.sessions', 'useSession streams a reply as a message', async () => {
  const { chat, text } = mountUse(
    () => ({ chat: useSession({ submode: 'auto' }) }),
    ({ chat }) => chat.messages.map(({ text }) => text),
  )
  const reply = chat.send('Count')
  await host.clock.advance(0)
  expect(text()).toBe('["Count","One "]')
  await host.clock.advance(1_000)
  await reply
  expect(text()).toBe('["Count","One two"]')
})

verifies('bindings.stored', 'useStored shows a conflict', async () => {
  const { svc: other } = await host.openWindow()
  const { note, text } = mountUse(
    () => ({ note: useStored('a', { initial: 'none' }) }),
    ({ note }) => [note.state, note.value, note.conflict?.theirs],
  )
  expect(text()).toBe('["loading","none",null]')
  await host.clock.settled()
  await other.storage.set({ key: 'a', value: 'theirs' })
  await note.set('mine')
  expect(await note.set('mine')).toMatchObject({ state: 'ready' })
  await other.storage.set({ key: 'a', value: 'theirs' })
  expect(await note.set('again')).toMatchObject({ state: 'conflict' })
  await tick()
  expect(text()).toBe('["conflict","again","theirs"]')
})

verifies(
  'bindings.connection',
  'useConnection, useTitle and useBeforeClose follow window and page',
  async () => {
    const { connection } = mountUse(() => {
      const connection = useConnection()
      useTitle(() => (connection.context?.theme === 'dark' ? 'Night' : 'Day'))
      useBeforeClose(() => false)
      return { connection }
    })
    await host.clock.settled()
    expect([connection.state, opened.window.title]).toEqual(['connected', 'Day'])
    opened.window.setContext({ theme: 'dark', locale: 'en', focused: true })
    await host.clock.settled()
    expect(opened.window.title).toBe('Night')
    expect(await opened.window.close()).toBe(false)
    await leave()
    expect(await opened.window.close()).toBe(true)
  },
)

it('shows the component of the README, which writes what is typed and gives the window its title', async () => {
  const { target } = show(Weather)
  const input = target.querySelector('input') as HTMLInputElement
  const button = target.querySelector('button') as HTMLButtonElement
  expect([input.value, input.disabled]).toEqual(['Rome', true])
  await host.clock.settled()
  expect(input.disabled).toBe(false)
  input.value = 'Oslo'
  input.dispatchEvent(new Event('input', { bubbles: true }))
  await host.clock.settled()
  expect(await svc.storage.get({ key: 'city' })).toMatchObject({ value: 'Oslo' })
  expect(opened.window.title).toBe('Weather in Oslo')
  button.click()
  await tick()
  expect(button.disabled).toBe(true)
  await host.clock.settled()
  expect([target.querySelector('p')?.textContent, button.disabled]).toEqual(['clear', false])
  expect(lines).toEqual(['forecast Oslo'])
})
