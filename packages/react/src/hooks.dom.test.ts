import { createTools, manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { svc } from '@svc/sdk'
import { createTestHost, type TestHost, type TestWindow } from '@svc/testing'
import { act, useEffect, useState } from 'react'
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
import { mountHook } from './testing/mount.ts'

let host: TestHost
let opened: TestWindow
let lines: string[]
const errors = vi.spyOn(console, 'error')

beforeEach(async () => {
  lines = []
  errors.mockClear()
  host = await createTestHost({
    manifest,
    tools: createTools({ lines }),
    models: { default: [{ text: ['One ', 'two'], everyMs: 100 }] },
  })
  opened = await host.openWindow({ document: globalThis })
})
afterEach(async () => {
  await host.close()
  expect(errors.mock.calls).toEqual([])
})

const settled = () => act(() => host.clock.settled())
const advance = (ms: number) => act(() => host.clock.advance(ms))

verifies('bindings.calls', 'useTool shows the states of a call', async () => {
  const { get, renders } = await mountHook(() => useTool<{ sky: string }>('weather', 'forecast'))
  // React 18 renders nothing before the end of an `act`.
  await act(async () => void get().call({ city: 'Rome' }))
  await settled()
  expect(get().value?.sky).toBe('clear')
  await act(async () => void get().call({ city: 'Atlantis' }))
  await settled()
  expect(get()).toMatchObject({ state: 'failed', error: { code: 'tool_failed' }, value: { sky: 'clear' } })
  const states = renders.map(({ state }) => state)
  expect(states.filter((state, at) => state !== states[at - 1])).toEqual([
    'idle',
    'running',
    'done',
    'running',
    'failed',
  ])
  expect(lines).toEqual(['forecast Rome', 'forecast Atlantis'])
})

verifies('bindings.strict', 'an effect that calls, starts, says and writes does so once', async () => {
  await mountHook(() => {
    const { call } = useTool('weather', 'forecast')
    const { start } = useJob('weather', 'count')
    const { send } = useSession({ submode: 'auto' })
    const { set } = useStored('note', { initial: '' })
    useTitle('Once')
    useEffect(() => {
      call({ city: 'Rome' })
      start({ to: 1 })
      send('Hi')
      set('Milk')
    }, [call, start, send, set])
  })
  await advance(1_000)
  expect(lines.toSorted()).toEqual(['count 1', 'forecast Rome'])
  expect(host.questions.default).toHaveLength(1)
  expect((await svc.agent.session.list()).sessions).toHaveLength(1)
  expect(await svc.storage.get({ key: 'note' })).toMatchObject({ generation: 1 })
  expect(opened.window.title).toBe('Once')
})

verifies('bindings.strict', 'an effect that is held to run once calls too', async () => {
  let runs = 0
  await mountHook(() => {
    const { call } = useTool('weather', 'forecast')
    useEffect(() => {
      if (runs++ === 0) call({ city: 'Rome' })
    }, [call])
  })
  await settled()
  expect(lines).toEqual(['forecast Rome'])
})

verifies('bindings.unmount', 'an unmount in mid-call gives the call up', async () => {
  const { get, unmount, renders } = await mountHook(() => useTool('weather', 'wait'))
  await act(async () => void get().call())
  await settled()
  expect([lines, get().state]).toEqual([['wait'], 'running'])
  const before = renders.length
  await unmount()
  await host.clock.settled()
  expect([lines, renders.length]).toEqual([['wait', 'aborted'], before])
})

verifies('bindings.unmount', 'an unmount leaves job, run and write to the host', async () => {
  const { get, unmount } = await mountHook(() => ({
    job: useJob('weather', 'count'),
    session: useSession({ submode: 'auto' }),
    note: useStored('note', { initial: '' }),
  }))
  const { job, session, note } = get()
  const begin = () => [job.start({ to: 1 }), session.send('Hi'), note.set('Milk')] as const
  const all = await act(async () => ({ ends: begin() }))
  await unmount()
  await host.clock.advance(1_000)
  const [, reply, saved] = await Promise.all(all.ends)
  expect([reply.text, saved.state, lines]).toEqual(['One two', 'ready', ['count 1']])
})

it('another tool gives up the call of the one before', async () => {
  let change = (_: string) => {}
  const { get } = await mountHook(() => {
    const [method, setMethod] = useState('wait')
    change = setMethod
    return useTool('weather', method)
  })
  await act(async () => void get().call())
  await settled()
  await act(async () => change('forecast'))
  await settled()
  expect([lines, get().state]).toEqual([['wait', 'aborted'], 'idle'])
})

verifies('bindings.calls', 'useCall calls what was given to it last', async () => {
  let name = 'a'
  const { get } = await mountHook(() => {
    const key = name
    return useCall((signal, value: string) => svc.storage.set({ key, value }, { signal }))
  })
  name = 'b'
  await act(() => get().call('1'))
  await act(() => get().call('2'))
  const { value } = await svc.storage.get({ key: 'b' })
  expect([value, get().state]).toEqual(['2', 'done'])
})

verifies('bindings.jobs', 'useJob shows the progress of a job, and finds it again', async () => {
  const { get, unmount } = await mountHook(() =>
    useJob<{ counted: number }, { n: number }>('weather', 'count'),
  )
  await act(async () => void get().start({ to: 3 }))
  await advance(1_000)
  expect(get()).toMatchObject({ state: 'done', value: { counted: 3 }, progress: { data: { n: 3 } } })
  const jobId = String(get().jobId)
  await unmount()
  const again = await mountHook(() => {
    const job = useJob('weather', 'count')
    const { attach } = job
    useEffect(() => void attach(jobId), [attach])
    return job
  })
  await advance(1_000)
  expect(again.get()).toMatchObject({ state: 'done', jobId, value: { counted: 3 } })
})

verifies(
  'bindings.sessions',
  'useSession streams replies as messages, and finds a session again',
  async () => {
    const { get } = await mountHook(() => useSession({ submode: 'auto' }))
    await act(async () => void get().send('Count'))
    await advance(0)
    expect(get().messages.map(({ text, state }) => [text, state])).toEqual([
      ['Count', 'done'],
      ['One ', 'running'],
    ])
    await advance(100)
    expect([get().messages[1]?.text, get().state]).toEqual(['One two', 'ready'])
    const appSessionUuid = String(get().session?.appSessionUuid)
    const again = await mountHook(() => useSession({ appSessionUuid }))
    await settled()
    expect(again.get().messages.map(({ text }) => text)).toEqual(['Count', 'One two'])
  },
)

verifies('bindings.stored', 'useStored shows what is stored, and a conflict', async () => {
  const { svc: other } = await host.openWindow()
  await other.storage.set({ key: 'note', value: 'Milk' })
  const { get } = await mountHook(() => useStored('note', { initial: '' }))
  await settled()
  expect(get()).toMatchObject({ state: 'ready', value: 'Milk' })
  await other.storage.set({ key: 'note', value: 'theirs' })
  await act(() => get().set('mine'))
  expect(get()).toMatchObject({ state: 'conflict', value: 'mine', conflict: { theirs: 'theirs' } })
  await act(() => get().reload())
  expect(get()).toMatchObject({ state: 'ready', value: 'theirs' })
})

verifies(
  'bindings.connection',
  'useConnection, useTitle and useBeforeClose follow window and page',
  async () => {
    let stays = true
    const { get, unmount } = await mountHook(() => {
      const connection = useConnection()
      useTitle(connection.context?.theme === 'dark' ? 'Night' : 'Day')
      useBeforeClose(() => !stays)
      return connection
    })
    await settled()
    expect([get().state, opened.window.title]).toEqual(['connected', 'Day'])
    await act(async () => opened.window.setContext({ theme: 'dark', locale: 'en', focused: true }))
    await settled()
    expect([get().context?.theme, opened.window.title]).toEqual(['dark', 'Night'])
    expect(await opened.window.close()).toBe(false)
    stays = false
    await unmount()
    expect(await opened.window.close()).toBe(true)
  },
)
