import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHostOptions } from '@svc/testing'
import { expect } from 'vitest'
import { HostRpcError } from './errors.ts'
import type { CompletionArgs } from './index.ts'

const manifest = {
  schema: 3,
  name: 'App',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { llm: ['complete'] } },
}
const silent = { ...manifest, ui: { ...manifest.ui, host_api: {} } }
const models = { default: () => 'Hello' }
const args: CompletionArgs = {
  messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  maxTokens: 50,
}

/** What comes of a completion that an app asks for. */
async function complete(options: TestHostOptions, given = args): Promise<unknown> {
  await using host = await createTestHost(options)
  const { svc } = await host.openWindow()
  return svc.llm.complete(given).catch((error: unknown) => error)
}

verifies('llm.complete.result', 'a completion reaches the client', async () => {
  const result = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'default' }
  expect(await complete({ manifest, models })).toMatchObject(result)
})

verifies.each('error.completion.class')<[string, TestHostOptions, CompletionArgs]>([
  ['permission_denied', { manifest: silent, models }, args],
  ['not_implemented', { manifest }, args],
  ['quota_exceeded', { manifest, models, host: { quotas: { completions_per_day: 0 } } }, args],
  ['invalid_arg', { manifest, models }, { ...args, messages: [] }],
])('%s is a HostRpcError', async (code, options, given) => {
  const error = await complete(options, given)
  expect(error).toBeInstanceOf(HostRpcError)
  expect(error).toMatchObject({ code, isHostRpcError: true })
})
