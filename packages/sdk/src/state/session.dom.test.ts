import { createTools, manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { type SessionOptions, svc } from '@svc/sdk'
import { createTestHost, type TestHost, type TestModels } from '@svc/testing'
import { afterEach, expect, it } from 'vitest'
import { createSessionView } from './session.ts'

let host: TestHost
let lines: string[]
afterEach(() => host.close())

async function open(script: TestModels['default']) {
  lines = []
  host = await createTestHost({ manifest, tools: createTools({ lines }), models: { default: script } })
  return await host.openWindow({ document: globalThis })
}
const show = (options: SessionOptions = { submode: 'auto' }) => {
  const view = createSessionView(svc, options)
  const stop = view.subscribe(() => undefined)
  return { get: view.get, stop }
}
const said = ({ messages }: ReturnType<ReturnType<typeof show>['get']>) =>
  messages.map(({ role, text, state }) => [role, text, state])
const listed = async () => (await svc.agent.session.list()).sessions

verifies('bindings.sessions', 'grows a reply while it streams', async () => {
  await open([{ text: ['One ', 'two'], everyMs: 100 }])
  const { get } = show()
  expect([get().state, await listed()]).toEqual(['ready', []])
  const reply = get().send('Count')
  await host.clock.advance(0)
  expect([get().state, said(get())]).toEqual([
    'running',
    [
      ['user', 'Count', 'done'],
      ['assistant', 'One ', 'running'],
    ],
  ])
  await host.clock.advance(1_000)
  expect(await reply).toMatchObject({
    text: 'One two',
    state: 'done',
    parts: [{ type: 'text', text: 'One two' }],
  })
  expect([get().state, get().session?.appSessionUuid]).toEqual([
    'ready',
    (await listed())[0]?.app_session_uuid,
  ])
})

verifies('bindings.sessions', 'has calls of tools among its parts, as the history has', async () => {
  await open(
    [
      'I look.',
      { text: 'I look.', call: { tool: 'weather.forecast', args: { city: 'Rome' } } },
      'Clear.',
    ].slice(1),
  )
  const { get } = show()
  const reply = get().send('Weather?')
  await host.clock.advance(1_000)
  const { parts, text } = await reply
  const call = {
    type: 'tool_call',
    tool_call_id: expect.any(String),
    name: expect.stringContaining('forecast'),
  }
  expect(parts).toMatchObject([
    { type: 'text', text: 'I look.' },
    call,
    { type: 'tool_result', output: { city: 'Rome', sky: 'clear' } },
    { type: 'text', text: 'Clear.' },
  ])
  expect(text).toBe('I look.Clear.')
  const again = show({ appSessionUuid: String(get().session?.appSessionUuid) })
  expect(again.get().state).toBe('loading')
  await host.clock.settled()
  expect(said(again.get())).toEqual(said(get()))
  expect(again.get().messages[1]?.parts).toEqual(parts)
})

verifies('bindings.strict', 'says once what is said twice in one tick, and makes one session', async () => {
  await open(['Hello!', 'Bye!'])
  const { get } = show()
  const replies = [get().send('Hi'), get().send('Hi')]
  await host.clock.advance(1_000)
  expect((await Promise.all(replies)).map(({ text }) => text)).toEqual(['Hello!', 'Hello!'])
  const next = get().send('Hi')
  await host.clock.advance(1_000)
  expect([(await next).text, said(get()).length, (await listed()).length]).toEqual(['Bye!', 4, 1])
})

verifies('bindings.sessions', 'reads a run again that was interrupted', async () => {
  const opened = await open([{ text: ['One ', 'two'], everyMs: 1_000 }])
  const { get } = show()
  get().send('Count')
  await host.clock.advance(0)
  const appSessionUuid = String(get().session?.appSessionUuid)
  const runId = String(get().messages[1]?.runId)
  await opened.close()
  await host.openWindow({ document: globalThis })
  const again = show({ appSessionUuid })
  const reply = Promise.all([again.get().attach(runId), again.get().attach(runId)])
  await host.clock.advance(0)
  expect(said(again.get()).at(-1)).toEqual(['assistant', 'One ', 'running'])
  await host.clock.advance(2_000)
  expect((await reply).map(({ text, state }) => [text, state])).toEqual([
    ['One two', 'done'],
    ['One two', 'done'],
  ])
})

it('cancels a reply, before and after the host has accepted its run', async () => {
  await open(() => ({ text: ['One ', 'two'], everyMs: 60_000 }))
  const { get } = show()
  const early = get().send('Count')
  await host.clock.settled()
  get().cancel()
  await host.clock.advance(1_000)
  expect(await early).toMatchObject({ text: 'One ', state: 'cancelled', error: undefined })
  expect(get().state).toBe('ready')
})

verifies('bindings.unmount', 'leaves the run to the host when its last subscriber leaves', async () => {
  await open([{ text: ['One ', 'two'], everyMs: 100 }])
  const { get, stop } = show()
  const reply = get().send('Count')
  stop()
  await host.clock.advance(1_000)
  expect(await reply).toMatchObject({ text: 'One two', state: 'done' })
})

it('says why a message failed, and sends the next', async () => {
  await open([{ error: { status: 400 } }, 'Fine.'])
  const { get } = show()
  const failed = get().send('Hi')
  await host.clock.advance(1_000)
  const { error } = await failed
  expect(error?.code).toEqual(expect.any(String))
  expect(get()).toMatchObject({ state: 'failed', error })
  const next = get().send('Again')
  await host.clock.advance(1_000)
  expect([(await next).text, get().state, get().error]).toEqual(['Fine.', 'ready', undefined])
})

it('says why a session is not found, and says so again to what is sent', async () => {
  await open([])
  const { get } = show({ appSessionUuid: `aps_${'0'.repeat(32)}` })
  await host.clock.settled()
  expect(get()).toMatchObject({ state: 'failed', error: { code: 'APP_SESSION_NOT_FOUND' } })
  expect(await get().send('Hi')).toMatchObject({ state: 'failed', error: { code: 'APP_SESSION_NOT_FOUND' } })
})
