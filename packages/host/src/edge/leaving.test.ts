import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { afterEach, beforeEach, expect } from 'vitest'

const LEAVE_NOTICE_MS = 5_000
const refusal = {
  code: 'agent_unavailable',
  details: { by: 'closing', retriable: true, retry_after_ms: 100 },
}

let clock: FrozenClock
let services: TestHost
let window: TestWindow

beforeEach(async () => {
  clock = frozenClock()
  services = await openTestHost({
    clock,
    limits: { LEAVE_NOTICE_MS },
    manifest: {
      host_api: { storage: ['*'], llm: ['complete', 'stream'], agent: { session: { auto: true } } },
    },
  })
  window = await services.openWindow()
})
/** Closes the host, whatever is left of its notice. */
afterEach(async () => {
  const closed = services.close()
  await clock.advance(LEAVE_NOTICE_MS)
  await closed
})

const call = (ns: string, method: string, args: object = {}) => ({
  id: '1',
  window_uuid: window.windowUuid,
  ns,
  method,
  args,
})
const write = () => call('storage', 'set', { key: 'k', value: 1 })
const post = async (body: unknown) => {
  const { status, text } = await window.post(JSON.stringify(body))
  return { status, text }
}
const get = (path: string) => services.request(path, { cookie: window.cookie })
const ready = async () => {
  const response = await get('/readyz')
  return [response.status, ((await response.json()) as { reasons?: string[] }).reasons]
}

verifies(
  'leave.ready',
  'a host that begins to close is not ready at once, and answers until its notice is over',
  async () => {
    expect(await ready()).toEqual([200, undefined])
    const closing = services.host.close()
    expect(await ready()).toEqual([503, ['closing']])
    expect((await post(write())).status).toBe(200)
    expect((await post([write(), write()])).status).toBe(200)
    expect((await get('/api/v1/svc-apps/windows')).status).toBe(200)
    await clock.advance(LEAVE_NOTICE_MS)
    await closing
    const late = await post(write())
    expect([late.status, JSON.parse(late.text).error]).toMatchObject([503, refusal])
    const route = await get('/api/v1/svc-apps/windows')
    expect([route.status, route.headers.get('retry-after'), await route.json()]).toMatchObject([
      503,
      '1',
      { error: refusal },
    ])
    expect((await get('/healthz')).status).toBe(200)
  },
)

verifies.each('leave.work')<[string, () => object | object[]]>([
  ['a run', () => call('agent', 'session.run', { app_session_uuid: 'aps_x', content: 'hi' })],
  [
    'a stream',
    () => call('llm', 'stream', { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }] }),
  ],
  ['a slow call', () => call('llm', 'complete', {})],
  ['a call of a tool', () => call('tools', 'invoke', { tool_id: 'x.y' })],
  ['a job', () => call('tools', 'invokeAsync', { tool_id: 'x.y' })],
  ['an array with one of them', () => [write(), call('tools', 'invoke', { tool_id: 'x.y' })]],
])('%s is not begun by a closing host, nor is anything beside it', async (_name, body) => {
  void services.host.close()
  const { status, text } = await post(body())
  expect([status, JSON.parse(text)]).toMatchObject([503, { id: '', ok: false, error: refusal }])
  expect(JSON.parse((await post(call('storage', 'list'))).text).result.items).toEqual([])
})

verifies(
  ['leave.events', 'leave.work'],
  'an event stream ends with a short pause to the next, and none begins',
  async () => {
    const events = () => get('/api/v1/svc-apps/runtime/events')
    const stream = await events()
    const reader = stream.body?.getReader()
    await reader?.read()
    void services.host.close()
    let rest = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      rest += Buffer.from(part.value).toString()
    expect(rest).toMatch(/retry: 100\n\n$/)
    const next = await events()
    expect([next.status, next.headers.get('retry-after'), await next.json()]).toMatchObject([
      503,
      '1',
      { error: refusal },
    ])
  },
)
