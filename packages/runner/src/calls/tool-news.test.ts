import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { frozenClock } from '@svc/node/testing'
import { expect } from 'vitest'
import { silentLog } from '../port/log.ts'
import type { CommandSpec, ToolsChange } from '../port/runner.ts'
import type { Child } from '../processes/child.ts'
import { openCalls } from './open-calls.ts'
import { openTalk } from './talk.ts'
import type { Worker, WorkerOptions } from './worker.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A runner with a plugin whose tools a test changes; it answers at once, or calls when it is told to. */
function openBed() {
  const clock = frozenClock()
  const heard: ToolsChange[] = []
  const state = { tools: ['a'], describes: 0, padding: 0, answer: () => {}, say: (_: string) => {} }
  const open = (_: CommandSpec, { onToolsChanged }: WorkerOptions): Worker => {
    const talk = openTalk({ plugin: 'p', limits, onNoise() {}, soon() {}, onToolsChanged })
    const say = (message: object) =>
      talk.onLine(new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', ...message })))
    state.say = (method) => say({ method })
    const ended = Promise.withResolvers<never>()
    talk.bind({
      ended: ended.promise,
      send(line: string) {
        const { id, method } = JSON.parse(line)
        if (method === 'call') state.answer = () => say({ id, result: { output: 1 } })
        else if (method === 'describe') {
          state.describes += 1
          const more = 'x'.repeat(state.padding)
          say({ id, result: { name: 'p', tools: state.tools.map((name) => ({ name })), more } })
        }
      },
      ignore() {},
      kill: async () => {},
      rest() {},
      queued: () => 0,
    } as unknown as Child)
    return {
      onStart() {},
      talk,
      alarm: { set() {}, clear() {}, close() {} },
      folder: '',
      ended: ended.promise,
      endedWithin: async () => {},
      isUsable: () => talk.usable,
      explain: (outcome: unknown) => outcome,
      lastWords: () => '',
      assign() {},
      kill: () => ended.promise,
      retire: () => ended.promise,
    } as unknown as Worker
  }
  const calls = openCalls({ clock, limits, log: silentLog, open, onForget() {} })
  calls.onToolsChanged((change) => heard.push(change))
  const plugin: CommandSpec = { id: 'p', version: '1', command: ['p'] }
  const call = () =>
    calls.call({
      userId: 'ada',
      appId: 'app',
      session: 'window w',
      plugin,
      tool: 'a',
      args: {},
      timeoutMs: 60_000,
      deadlineMs: clock.now() + 60_000,
      graceMs: 0,
      invokeId: 'inv_1',
      maxResultBytes: 1_000,
    })
  const describe = () => calls.describe(plugin, { deadlineMs: clock.now() + 1_000 })
  const names = () =>
    heard.map(({ userId, appId, description }) => [userId, appId, description.tools.map(({ name }) => name)])
  const pass = async (ms: number) => {
    await clock.advance(ms)
    await settled()
  }
  return { state, call, describe, names, pass }
}

verifies('plugin.tools_changed', 'a process that says that its tools changed is asked which', async () => {
  const { state, describe, names, pass } = openBed()
  await describe()
  state.tools.push('b')
  state.say('tools_changed')
  expect(state.describes).toBe(1)
  await pass(limits.TOOLS_CHANGED_MS)
  expect(names()).toEqual([[undefined, undefined, ['a', 'b']]])
})

verifies(
  'plugin.tools_changed.flood',
  'a flood costs one question a while, and no news where nothing is',
  async () => {
    const { state, describe, names, pass } = openBed()
    await describe()
    for (let n = 0; n < 100; n++) state.say('tools_changed')
    await pass(limits.TOOLS_CHANGED_MS - 1)
    for (let n = 0; n < 100; n++) state.say('tools_changed')
    await pass(1)
    expect(state.describes).toBe(2)
    for (let n = 0; n < 100; n++) state.say('tools_changed')
    await pass(limits.TOOLS_CHANGED_MS)
    expect(state.describes).toBe(3)
    // The same list is told once.
    expect(names()).toHaveLength(1)
  },
)

verifies('plugin.tools_changed.flood', 'a long list is read the less often, the longer it is', async () => {
  const { state, describe, pass } = openBed()
  await describe()
  state.padding = 5 * limits.TOOLS_CHANGED_MS * limits.TOOLS_CHANGED_BYTES_PER_MS
  for (let n = 0; n < 10; n++) {
    state.say('tools_changed')
    await pass(limits.TOOLS_CHANGED_MS)
  }
  expect(state.describes).toBe(1 + 2)
})

verifies('plugin.tools_changed', 'it is asked after its call, in the name of whom it serves', async () => {
  const { state, call, names, pass } = openBed()
  const calling = call()
  await settled()
  state.tools.push('b')
  state.say('tools_changed')
  await pass(10 * limits.TOOLS_CHANGED_MS)
  expect(state.describes).toBe(0)
  state.answer()
  expect(await calling).toMatchObject({ ok: true })
  await pass(limits.TOOLS_CHANGED_MS)
  expect(names()).toEqual([['ada', 'app', ['a', 'b']]])
})
