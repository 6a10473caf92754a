import { createTools, manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { svc } from '@svc/sdk'
import { createTestHost, type TestHost } from '@svc/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createToolCall } from './tool.ts'

let host: TestHost
let lines: string[]
let heard: unknown[]

beforeEach(async () => {
  lines = []
  heard = []
  host = await createTestHost({ manifest, tools: createTools({ lines }) })
  await host.openWindow({ document: globalThis })
})
afterEach(() => host.close())

const listen = (method: string) => {
  const tool = createToolCall(svc, 'weather', method)
  const stop = tool.subscribe(({ state }) => heard.push(state))
  return { tool, stop }
}

verifies('bindings.calls', 'tells the states of a call, and keeps the value of the call before', async () => {
  const { tool } = listen('forecast')
  const rome = { city: 'Rome', sky: 'clear' }
  expect(await tool.get().call({ city: 'Rome' })).toMatchObject({ state: 'done', value: rome })
  const failed = await tool.get().call({ city: 'Atlantis' })
  expect(failed).toMatchObject({ state: 'failed', value: rome, error: { code: 'tool_failed' } })
  expect(await tool.get().call({ city: 'Oslo' })).toMatchObject({ state: 'done', error: undefined })
  expect(heard).toEqual(['idle', 'running', 'done', 'running', 'failed', 'running', 'done'])
})

verifies('bindings.calls', 'sends the last of several calls in one tick', async () => {
  const { tool } = listen('forecast')
  const all = ['Rome', 'Oslo', 'Bern'].map((city) => tool.get().call({ city }))
  await Promise.all(all)
  expect([lines, tool.get().value]).toEqual([['forecast Bern'], { city: 'Bern', sky: 'clear' }])
})

verifies('bindings.unmount', 'gives up a call that runs when its last subscriber leaves', async () => {
  const { tool, stop } = listen('wait')
  const other = tool.subscribe(() => undefined)
  const call = tool.get().call()
  await host.clock.settled()
  stop()
  await host.clock.settled()
  expect([lines, tool.get().state]).toEqual([['wait'], 'running'])
  other()
  other()
  expect(await call).toMatchObject({ state: 'idle', error: undefined })
  await host.clock.settled()
  expect(lines).toEqual(['wait', 'aborted'])
})

verifies('bindings.strict', 'goes on where a subscriber comes back in the same tick', async () => {
  const { tool, stop } = listen('forecast')
  const call = tool.get().call({ city: 'Rome' })
  stop()
  tool.subscribe(() => undefined)
  expect(await call).toMatchObject({ state: 'done' })
  expect(lines).toEqual(['forecast Rome'])
})

it('cancels, and calls anew in place of a call that runs', async () => {
  const { tool } = listen('wait')
  const first = tool.get().call()
  await host.clock.settled()
  const second = tool.get().call()
  await host.clock.settled()
  tool.get().cancel()
  tool.get().cancel()
  expect([await first, await second].map(({ state }) => state)).toEqual(['running', 'idle'])
  await host.clock.settled()
  expect(lines.toSorted()).toEqual(['aborted', 'aborted', 'wait', 'wait'])
  expect(heard).toEqual(['idle', 'running', 'running', 'idle'])
})
