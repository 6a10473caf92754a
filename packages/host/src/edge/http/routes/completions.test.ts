import { openTestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'

const ROUTE = '/api/v1/copilot/app/complete'
const args = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 50 }

async function open(options: TestHostOptions = {}) {
  const services = await openTestHost({ manifest: { host_api: { llm: ['complete'] } }, ...options })
  const window = await services.openWindow()
  const post = async (body: unknown, headers: Record<string, string | null> = {}) => {
    const all = { 'x-svc-app-token': window.token, cookie: window.cookie, ...headers }
    const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null)
    const { cookie = '', ...others } = Object.fromEntries(sent)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await services.request(ROUTE, { method: 'POST', body: text, headers: others, cookie })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { ...services, window, post }
}

verifies('route.complete', 'the body is the arguments, the answer the result', async () => {
  const { post, window, close } = await open()
  const called = await window.call('llm', 'complete', args)
  expect(await post(args)).toEqual({ status: 200, body: called.ok && called.result })
  await close()
})

verifies('route.complete.errors', 'each failure has its name, code, sentence and details', async () => {
  const { post, close } = await open({ quotas: { completions_per_day: 0 } })
  const failure = async (body: unknown, headers?: Record<string, string | null>) => {
    const answer = await post(body, headers)
    const { name, code, message } = answer.body.error as Record<string, string>
    expect([code, typeof message]).toEqual([name, 'string'])
    return [answer.status, name]
  }
  expect(await failure(args)).toEqual([429, 'quota_exceeded'])
  expect(await failure({ ...args, maxTokens: 0 })).toEqual([400, 'invalid_arg'])
  expect(await failure({})).toEqual([400, 'invalid_arg'])
  expect(await failure([])).toEqual([400, 'invalid_arg'])
  expect(await failure('{')).toEqual([400, 'invalid_arg'])
  expect(await failure('{}},"method":"embed","args":{')).toEqual([400, 'invalid_arg'])
  expect(await failure(' '.repeat(limits.RPC_BODY_MAX_BYTES + 1))).toEqual([413, 'invalid_arg'])
  expect(await failure(args, { 'content-type': 'text/plain' })).toEqual([415, 'invalid_arg'])
  expect(await failure(args, { 'x-svc-app-token': null })).toEqual([401, 'invalid_token'])
  expect(await failure(args, { 'x-svc-app-token': 'x.y.z' })).toEqual([401, 'invalid_token'])
  expect(await failure(args, { cookie: null })).toEqual([401, 'invalid_token'])
  expect(await failure(args, { origin: 'https://elsewhere.org' })).toEqual([403, 'permission_denied'])
  expect(await failure(args, { host: 'elsewhere.org' })).toEqual([403, 'permission_denied'])
  await close()
})

verifies('route.complete', "another user's cookie does not go with the token", async () => {
  const { post, signIn, close } = await open()
  expect(await post(args, { cookie: await signIn('bob') })).toMatchObject({
    status: 401,
    body: { error: { name: 'invalid_token' } },
  })
  await close()
})

verifies.each(['route.complete', 'error.permission_denied.method'])([
  ['an app that does not declare it', { manifest: {} }, 403, 'permission_denied'],
  ['an app that declares another', { manifest: { host_api: { llm: ['embed'] } } }, 403, 'permission_denied'],
  ['a host without models', { models: null }, 501, 'not_implemented'],
])('%s', async (_name, options, status, name) => {
  const { post, close } = await open(options)
  expect(await post(args)).toMatchObject({ status, body: { error: { name, code: name } } })
  await close()
})

verifies('route.complete', 'a closed window completes no more', async () => {
  const { post, window, close } = await open()
  await window.call('window', 'close')
  expect(await post(args)).toMatchObject({ status: 404, body: { error: { name: 'not_found' } } })
  await close()
})
