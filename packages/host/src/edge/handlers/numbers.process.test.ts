import { fileURLToPath } from 'node:url'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, describe, expect } from 'vitest'

const PLUGIN = fileURLToPath(import.meta.resolve('@svc/conformance/testing/text-plugin'))
const NUMBERS = [
  '1.0',
  '-0',
  '-0.0',
  '1E5',
  '1e300',
  '1e-400',
  '12345678901234567890',
  '9007199254740993',
  '0.10',
  '0.1000000000000000055511151231257827',
  '3.0e8',
  '0.30000000000000004',
  '1e21',
  '0.0000001',
]
/** Numbers where they are easily missed: in lists, under names that are numbers, beside texts full of digits. */
const ARGS = `{"rows":[${NUMBERS.join()}],"deep":{"__proto__":{"1.0":-0}},"text":"1.0 \\"-0\\" 1e400","last":1.50}`

/** Wherever the numbers go as text, the whole text of what was sent is there. */
const hosts: { [Storage in 'own' | 'persistent' | 'window-state']?: ToolHost } = {}
const open = (storage: 'persistent' | 'window-state') =>
  openToolHost({
    storage,
    plugins: [{ slug: 'text', command: ['node', PLUGIN] }],
    manifest: { required_plugs: ['odd', 'text'], host_api: { storage: ['*'] } },
  })
beforeAll(async () => {
  hosts.persistent = await open('persistent')
  hosts['window-state'] = await open('window-state')
})
afterAll(() => Promise.all(Object.values(hosts).map((services) => services.close())))

const services = (storage: 'persistent' | 'window-state' = 'persistent') => hosts[storage] as ToolHost

/** The text of a call. */
const callText = (ns: string, method: string, args: string, id = 'c', { windowUuid } = services().window) =>
  `{"id":"${id}","window_uuid":"${windowUuid}","ns":"${ns}","method":"${method}","args":${args}}`
const invoke = (tool: string) =>
  callText('tools', 'invoke', `{"tool_id":"text","method":"${tool}","timeoutMs":6.0e4,"args":${ARGS}}`)
const echoed = `{"came":${JSON.stringify(ARGS)},"args":${ARGS}}`

describe('tools', () => {
  verifies.each('numbers.verbatim')([['echo'], ['spaced'], ['tell']])(
    'args reach the plugin as their text, and so does its result the caller: %s',
    async (tool) => {
      const { text } = await services().window.post(invoke(tool))
      expect(text).toBe(`{"id":"c","ok":true,"result":${echoed}}`)
    },
  )

  verifies('numbers.verbatim', 'in the array form too, beside calls of other numbers', async () => {
    const { text } = await services().window.post(
      `[${invoke('echo')},${callText('window', 'resize', '{"w":3.0e2,"h":200}', 'r')}]`,
    )
    const lines = text.trimEnd().split('\n')
    expect(lines).toContain(`{"id":"c","ok":true,"result":${echoed}}`)
    expect(lines).toContain('{"id":"r","ok":true,"result":{"w":300,"h":200}}')
  })

  verifies('numbers.verbatim', 'args of a job, its progress, and its result', async () => {
    const order = callText('tools', 'invokeAsync', `{"tool_id":"text","method":"tell","args":${ARGS}}`)
    const { jobId } = JSON.parse((await services().window.post(order)).text).result
    const read = async () =>
      (await services().window.post(callText('tools', 'getJob', `{"jobId":"${jobId}"}`))).text
    await expect.poll(read, { timeout: 10_000 }).toContain('"state":"succeeded"')
    const text = await read()
    expect(text).toContain(`"result":${echoed}`)
    expect(text).toContain(`"data":${ARGS}`)
  })
})

describe.each(['persistent', 'window-state'] as const)('storage, %s', (storage) => {
  verifies('numbers.verbatim', 'gives back the text that was stored', async () => {
    const { window } = services(storage)
    const post = async (method: string, args: string) =>
      (await window.post(callText('storage', method, args, 'c', window))).text
    expect(await post('set', `{"key":"k","value":${ARGS}}`)).toContain('"ok":true')
    expect(await post('get', '{"key":"k"}')).toContain(`"value":${ARGS}`)
    for (const number of NUMBERS) {
      expect(await post('set', `{"key":"n","value":${number}}`)).toContain('"ok":true')
      expect(await post('get', '{"key":"n"}')).toContain(`"value":${number},`)
    }
    const hello = (await window.post(callText('window', 'hello', '{}', 'h', window))).text
    expect(hello).toContain(
      storage === 'persistent' ? '"runtime_state":null' : `"runtime_state":{"k":${ARGS},`,
    )
  })

  verifies.each('numbers.refused')([
    [
      'storage',
      'set',
      '{"key":"k","value":1,"metadata":{"ids":[1.0,{"a":12345678901234567890}]}}',
      'metadata.ids[1].a',
      '12345678901234567890',
    ],
    ['storage', 'set', '{"key":"k","value":1,"ttl_seconds":1e400}', 'ttl_seconds', '1e400'],
    ['storage', 'set', '{"key":"k","value":[{"a":-1e400}]}', 'value[0].a', '-1e400'],
    ['tools', 'invoke', '{"tool_id":"text.echo","args":{"rows":[1.0,1e400]}}', 'args.rows[1]', '1e400'],
    ['tools', 'invokeAsync', '{"tool_id":"text.echo","args":{"high":1E+309}}', 'args.high', '1E+309'],
    ['window', 'open_view', '{"view":"second","payload":9007199254740993}', 'payload', '9007199254740993'],
    [
      'window',
      'open_view',
      '{"view":"second","payload":{"rows":[{"id":1e-400}]}}',
      'payload.rows[0].id',
      '1e-400',
    ],
    [
      'tools',
      'invoke',
      '{"tool_id":"text.echo","timeoutMs":20000.00000000000000000001}',
      'timeoutMs',
      '20000.00000000000000000001',
    ],
  ])('%s.%s %s', async (ns, method, args, path, number) => {
    const { window } = services(storage)
    const { status, body } = await window.post(callText(ns, method, args, 'c', window))
    expect([status, body]).toEqual([
      400,
      {
        id: 'c',
        ok: false,
        error: {
          code: 'invalid_arg',
          message: `${path}: ${number} cannot be kept exactly; send it as a string`,
          details: { path },
        },
      },
    ])
  })
})

verifies('numbers.verbatim', 'hello tells the state of a window with all of its numbers', async () => {
  hosts.own = await open('window-state')
  const { window } = hosts.own
  const list = `[${Array(15_000).fill('1.0').join()}]`
  for (const key of ['a', 'b']) {
    const { status } = await window.post(
      callText('storage', 'set', `{"key":"${key}","value":${list}}`, 'c', window),
    )
    expect(status).toBe(200)
  }
  const hello = (await window.post(callText('window', 'hello', '{}', 'h', window))).text
  expect(hello).toContain(`"runtime_state":{"a":${list},"b":${list}}`)
})

verifies.each('numbers.verbatim')([
  ['tools', 'invoke', '{"tool_id":"text.echo","args":1.0}', 'args must be an object, got 1.0'],
  ['tools', 'invokeAsync', '{"tool_id":"text.echo","args":-0}', 'args must be an object, got -0'],
  ['tools', 'list', '1.0', 'args must be an object; send {} for none'],
  ['window', 'hello', '1E5', 'args must be an object; send {} for none'],
])('%s.%s %s: a number is not an object', async (ns, method, args, message) => {
  const { status, body } = await services().window.post(callText(ns, method, args))
  expect([status, body]).toMatchObject([400, { ok: false, error: { code: 'invalid_arg', message } }])
})

verifies('numbers.refused', 'a route refuses a number in its body as a call does', async () => {
  const { appId, request, window } = services()
  const body = `{"app_id":"${appId}","payload":{"id":12345678901234567890,"a":1.0}}`
  const response = await request('/api/v1/svc-apps/windows', { method: 'POST', cookie: window.cookie, body })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_arg', details: { path: 'payload.id' } } },
  ])
})
