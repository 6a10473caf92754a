import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { openTestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { createCalls } from './calls.ts'
import { HostRpcError } from './errors.ts'

const args = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 50 }
const declared = { manifest: { host_api: { llm: ['complete'] } } }

/** A completion by the client's own calls, over a host. */
async function complete(options: TestHostOptions, given: unknown = args) {
  const testHost = await openTestHost(options)
  const window = await testHost.openWindow()
  const send = async (id: number, ns: string, method: string, text: string) => {
    const call = { id: String(id), window_uuid: window.windowUuid, ns, method, args: JSON.parse(text) }
    calls.answer(id, (await window.post(JSON.stringify(call))).text)
  }
  const calls = createCalls({ send: (...call) => void send(...call), drop: () => {} }, frozenClock())
  const outcome = await calls.call('llm', 'complete', given).catch((error: unknown) => error)
  await testHost.close()
  return outcome
}

verifies('llm.complete.result', 'a completion reaches the client', async () => {
  expect(await complete(declared)).toMatchObject({ role: 'assistant', model: 'svc-dev' })
})

verifies.each('error.completion.class')([
  ['permission_denied', {}, args],
  ['not_implemented', { ...declared, models: null }, args],
  ['quota_exceeded', { ...declared, quotas: { completions_per_day: 0 } }, args],
  ['invalid_arg', declared, { ...args, messages: [] }],
])('%s is a HostRpcError', async (code, options, given) => {
  const error = await complete(options, given)
  expect(error).toBeInstanceOf(HostRpcError)
  expect(error).toMatchObject({ code, isHostRpcError: true })
})
