import { createTools, manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHost, type TestWindow } from '@svc/testing'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createApp, defineComponent, h, nextTick, Suspense } from 'vue'
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

let host: TestHost
let opened: TestWindow
let lines: string[]
let unmount: () => void
const warnings = vi.spyOn(console, 'warn')

beforeEach(async () => {
  lines = []
  warnings.mockClear()
  host = await createTestHost({
    manifest,
    tools: createTools({ lines }),
    models: { default: [{ text: ['One ', 'two'], everyMs: 100 }] },
  })
  opened = await host.openWindow({ document: globalThis })
})
afterEach(async () => {
  unmount()
  await host.close()
  expect(warnings.mock.calls).toEqual([])
})

/** Mounts a component that uses what `use` returns, and shows the text that `show` makes of it. */
function mountUse<Used>(
  use: () => Used,
  show: (used: Used) => unknown = () => '',
): Used & { text(): string } {
  let used = undefined as Used
  const place = document.createElement('main')
  const app = createApp({
    setup() {
      used = use()
      return () => h('p', JSON.stringify(show(used)))
    },
  })
  app.mount(place)
  unmount = () => app._instance && app.unmount()
  return Object.assign(used as object, { text: () => place.textContent }) as Used & { text(): string }
}

verifies('bindings.calls', 'useTool and useCall show the states of a call', async () => {
  const used = mountUse(
    () => ({
      forecast: useTool<{ sky: string }>('weather', 'forecast'),
      twice: useCall(async (_, n: number) => n * 2),
    }),
    ({ forecast, twice }) => [forecast.value.state, forecast.value.value?.sky, twice.value.value],
  )
  expect(used.text()).toBe('["idle",null,null]')
  const call = used.forecast.value.call({ city: 'Rome' })
  await nextTick()
  expect(used.text()).toBe('["running",null,null]')
  await Promise.all([call, used.twice.value.call(4)])
  await nextTick()
  expect(used.text()).toBe('["done","clear",8]')
  await used.forecast.value.call({ city: 'Atlantis' })
  await nextTick()
  expect([used.text(), used.forecast.value.error?.code]).toEqual(['["failed","clear",8]', 'tool_failed'])
})

verifies('bindings.unmount', 'an unmount gives a call up, and leaves job and write to the host', async () => {
  const { wait, count, note } = mountUse(() => ({
    wait: useTool('weather', 'wait'),
    count: useJob('weather', 'count'),
    note: useStored('note', { initial: '' }),
  }))
  const ends = [wait.value.call(), count.value.start({ to: 1 }), note.value.set('Milk')] as const
  await host.clock.settled()
  const shown = wait.value
  unmount()
  const [, , saved] = await Promise.all(ends)
  await host.clock.settled()
  expect(lines.toSorted()).toEqual(['aborted', 'count 1', 'wait'])
  expect([saved.state, wait.value]).toEqual(['ready', shown])
})

verifies('bindings.jobs', 'useJob shows progress and result', async () => {
  const { count } = mountUse(() => ({
    count: useJob<{ counted: number }, { n: number }>('weather', 'count'),
  }))
  const end = count.value.start({ to: 3 })
  await host.clock.advance(1_000)
  expect(await end).toMatchObject({ state: 'done' })
  expect(count.value).toMatchObject({ value: { counted: 3 }, progress: { data: { n: 3 } } })
})

verifies('bindings.sessions', 'useSession streams a reply as a message', async () => {
  const used = mountUse(
    () => ({ chat: useSession({ submode: 'auto' }) }),
    ({ chat }) => chat.value.messages.map(({ text }) => text),
  )
  const reply = used.chat.value.send('Count')
  await host.clock.advance(0)
  expect(used.text()).toBe('["Count","One "]')
  await host.clock.advance(1_000)
  await reply
  expect(used.text()).toBe('["Count","One two"]')
})

verifies('bindings.stored', 'useStored shows a conflict', async () => {
  const { svc: other } = await host.openWindow()
  const { note } = mountUse(() => ({ note: useStored('a', { initial: 'none' }) }))
  await host.clock.settled()
  await other.storage.set({ key: 'a', value: 'theirs' })
  await note.value.set('mine')
  expect(await note.value.set('mine')).toMatchObject({ state: 'ready' })
  await other.storage.set({ key: 'a', value: 'theirs' })
  expect(await note.value.set('again')).toMatchObject({ state: 'conflict', conflict: { theirs: 'theirs' } })
})

verifies(
  'bindings.connection',
  'useConnection, useTitle and useBeforeClose follow window and page',
  async () => {
    const { connection } = mountUse(() => {
      const connection = useConnection()
      useTitle(() => (connection.value.context?.theme === 'dark' ? 'Night' : 'Day'))
      useBeforeClose(() => false)
      return { connection }
    })
    await host.clock.settled()
    expect([connection.value.state, opened.window.title]).toEqual(['connected', 'Day'])
    opened.window.setContext({ theme: 'dark', locale: 'en', focused: true })
    await host.clock.settled()
    expect(opened.window.title).toBe('Night')
    expect(await opened.window.close()).toBe(false)
    unmount()
    expect(await opened.window.close()).toBe(true)
  },
)

verifies('bindings.suspense', 'a component that suspends shows its call when it is there', async () => {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const City = defineComponent({
    async setup() {
      const forecast = useTool<{ sky: string }>('weather', 'forecast')
      const called = forecast.value.call({ city: 'Rome' })
      await gate
      await called
      return () => h('p', forecast.value.value?.sky)
    },
  })
  const place = document.createElement('main')
  const app = createApp(() => h(Suspense, null, { default: () => h(City), fallback: () => 'waits' }))
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  app.mount(place)
  unmount = () => app.unmount()
  await host.clock.settled()
  expect(place.textContent).toBe('waits')
  open()
  await host.clock.settled()
  expect([place.textContent, lines]).toEqual(['clear', ['forecast Rome']])
})
