import { verifies } from '@svc/conformance/verifies'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import own from '../package.json' with { type: 'json' }
import { type AdapterOptions, openAdapter } from './testing/adapter.ts'

// Each test starts processes of its own.
vi.setConfig({ testTimeout: 20_000 })

const opened: ReturnType<typeof openAdapter>[] = []
function open(options?: AdapterOptions) {
  const adapter = openAdapter(options)
  opened.push(adapter)
  return adapter
}
afterEach(() => Promise.all(opened.splice(0).map((one) => one.end())))

/** For what neither ends an adapter nor needs one as it begins: without and with sampling. */
let plain: ReturnType<typeof openAdapter>
let sampler: ReturnType<typeof openAdapter>
beforeAll(() => {
  plain = openAdapter()
  sampler = openAdapter({ options: ['--sampling'] })
})
afterAll(() => Promise.all([plain, sampler].map((one) => one.end())))

/** The text of a call's first block, read as JSON. */
const valueIn = ({ result }: { result?: { output: { content: { text: string }[] } } }) =>
  JSON.parse(result?.output.content[0]?.text ?? 'null')
const namesIn = ({ result }: { result?: { tools: { name: string }[] } }) =>
  result?.tools.map(({ name }) => name) ?? []

verifies('mcp.describe', 'describes the tools of all pages, with name and version', async () => {
  const { result } = await plain.ask('describe')
  expect(result).toMatchObject({ name: 'odd', version: '1.2.3' })
  expect(result.host_capabilities).toBeUndefined()
  expect(result.tools[0]).toEqual({ name: 'echo', parameters: [], input_schema: { type: 'object' } })
  expect(namesIn({ result })).toEqual(expect.arrayContaining(['echo', 'wait', 'log']))
})

it('tells the server its own name and version', async () => {
  const told = valueIn(await plain.call('initialized'))
  expect(told.clientInfo).toEqual({ name: 'svc-mcp', version: own.version })
})

it('leaves out a version that is none of ours, and takes a server without tools', async () => {
  expect((await open({ mode: 'old' }).ask('describe')).result.version).toBeUndefined()
  expect((await open({ mode: 'toolless' }).ask('describe')).result.tools).toEqual([])
})

it('reads a list that goes in a circle once', async () => {
  const adapter = open({ mode: 'circle' })
  expect((await adapter.ask('describe')).result.tools).toEqual([])
  expect(adapter.stderr()).toContain('goes in a circle')
})

verifies(
  'mcp.describe.names',
  'calls a tool by the name that it has here, before it was described',
  async () => {
    const name = namesIn(await plain.ask('describe')).find((one) => one.startsWith('report'))
    expect(name).toMatch(/^report_t_glich-[0-9a-f]{8}$/)
    const { result } = await open().call(name ?? '')
    expect(result.output.content[0].text).toBe('reported')
  },
)

verifies('mcp.describe.names', 'leaves out tools whose names no plugin may have', async () => {
  const names = namesIn(await plain.ask('describe'))
  expect(names).not.toContain('__proto__')
  expect(names).not.toContain('')
  expect(names.every((name) => name.length <= 256)).toBe(true)
  expect(new Set(names).size).toBe(names.length)
  expect(plain.stderr()).toContain('left out the tool "__proto__"')
})

verifies('mcp.members', 'understands a server that writes members of no use with all it says', async () => {
  const adapter = open({ mode: 'members' })
  expect((await adapter.ask('describe')).result).toMatchObject({ name: 'odd' })
  expect(valueIn(await adapter.call('echo', { a: 1 }))).toEqual({ a: 1 })
  await adapter.call('progress')
  expect(adapter.told).toHaveLength(2)
  const asked = { method: 'roots/list', params: {} }
  expect(valueIn(await adapter.call('ask', asked))).toMatchObject({ code: -32_601 })
})

it('asks a server for its tools that does not say it has some', async () => {
  expect(namesIn(await open({ mode: 'silent' }).ask('describe'))).toContain('echo')
})

verifies('mcp.describe.changed', 'has the tools as they are once the list has changed', async () => {
  const adapter = open()
  expect(namesIn(await adapter.ask('describe'))).not.toContain('extra-1')
  await adapter.call('more')
  expect(namesIn(await adapter.ask('describe'))).toContain('extra-1')
})

verifies('mcp.call', 'calls a tool with its arguments, as the first thing too', async () => {
  const args = { city: 'Köln', list: [1, null], deep: { a: true } }
  expect(valueIn(await open().call('echo', args))).toEqual(args)
})

verifies('mcp.call', 'gives structured content beside the blocks', async () => {
  const { result } = await plain.call('structured')
  expect(result.output).toEqual({ content: [{ type: 'text', text: '{"t":1}' }], structuredContent: { t: 1 } })
})

verifies.each('mcp.call.failure')([
  ['fail', { result: { success: false, error: 'no such city' } }],
  [
    'blank',
    {
      result: { success: false, error: 'the tool reported a failure without a text: (image/png, not shown)' },
    },
  ],
  ['refuse', { error: { code: -32_602, message: 'city is required: {"field":"city"}' } }],
  ['no-such-tool', { error: { code: -32_602, message: 'Unknown tool: no-such-tool' } }],
  ['rubbish', { error: { code: -32_603 } }],
])('answers %s with %j', async (name, answer) => {
  expect(await plain.call(name)).toMatchObject(answer)
})

verifies('mcp.progress', 'passes progress of its own call on', async () => {
  const before = plain.told.length
  await plain.call('progress', {}, {}, 'c')
  expect(plain.told.slice(before).map(({ params }) => params)).toEqual([
    { id: 'c', type: 'progress', data: { progress: 1, total: 2, message: 'step 1' } },
    { id: 'c', type: 'progress', data: { progress: 2, total: 2, message: 'step 2' } },
  ])
})

verifies('mcp.cancel', 'tells the server of a cancel, answers when it does, and goes on', async () => {
  const adapter = open()
  const answer = adapter.call('heed', {}, {}, 'c')
  await adapter.first
  adapter.send({ jsonrpc: '2.0', method: 'cancel', params: { id: 'c', reason: 'enough' } })
  expect(await answer).toMatchObject({ result: { success: false, error: 'enough' } })
  const told = valueIn(await adapter.call('cancelled'))
  expect(told).toEqual([{ requestId: expect.any(Number), reason: 'enough' }])
})

verifies('mcp.cancel', 'tells the server of a deadline, answers when it does, and goes on', async () => {
  const adapter = open()
  await adapter.ask('describe')
  const answer = await adapter.call('heed', {}, { deadline_ms: Date.now() + 2_000 })
  expect(answer.error).toMatchObject({ code: -32_000, data: { name: 'tool_timeout' } })
  expect(valueIn(await adapter.call('cancelled'))).toHaveLength(1)
})

it('ends a call that waits for the handshake when it is cancelled', async () => {
  const adapter = open({ mode: 'mute' })
  const answer = adapter.call('echo', {}, {}, 'c')
  adapter.send({ jsonrpc: '2.0', method: 'cancel', params: { id: 'c', reason: 'enough' } })
  expect(await answer).toMatchObject({ result: { success: false, error: 'enough' } })
  adapter.kill('SIGTERM')
})

it('ends a call that comes after its deadline at once, whatever the handshake does', async () => {
  const adapter = open({ mode: 'mute' })
  const ended = adapter.call('echo', {}, { deadline_ms: 1 })
  const described = adapter.ask('describe')
  expect((await Promise.race([ended, described])).error).toMatchObject({ data: { name: 'tool_timeout' } })
  adapter.kill('SIGTERM')
})

const createMessage = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Name a colour.' } }],
  systemPrompt: 'Be brief.',
  maxTokens: 20,
  modelPreferences: { hints: [{ name: 'small' }, {}], speedPriority: 1 },
}
const askFor = { method: 'sampling/createMessage', params: createMessage }
const withToken = { context: { invoke_id: 'c', sampling_token: 'secret' } }

verifies('mcp.sampling', 'asks the host for a completion in the name of the call', async () => {
  const requests: unknown[] = []
  sampler.hear(({ method, params }) => {
    requests.push({ method, params })
    const content = { type: 'text', text: 'Blue.' }
    return { result: { role: 'assistant', content, model: 'm', stopReason: 'endTurn', usage: {} } }
  })
  expect((await sampler.ask('describe')).result.host_capabilities).toEqual(['llm.sample'])
  expect(valueIn(await sampler.call('ask', askFor, withToken))).toEqual({
    role: 'assistant',
    content: { type: 'text', text: 'Blue.' },
    model: 'm',
    stopReason: 'endTurn',
  })
  expect(requests).toEqual([
    {
      method: 'llm/complete',
      params: {
        messages: [
          { role: 'user', content: { type: 'text', text: 'Be brief.' } },
          { role: 'user', content: { type: 'text', text: 'Name a colour.' } },
        ],
        max_tokens: 20,
        modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
        sampling_token: 'secret',
      },
    },
  ])
})

verifies('mcp.sampling', 'gives the server what the host refuses as an error', async () => {
  const data = { name: 'quota_exceeded', details: { retriable: false } }
  sampler.hear(() => ({ error: { code: -32_000, message: 'the quota is used up', data } }))
  const error = valueIn(await sampler.call('ask', askFor, withToken))
  expect(error).toEqual({ code: -32_000, message: 'the quota is used up', data })
})

it('refuses sampling while no call is under way', async () => {
  const adapter = open({ options: ['--sampling'], mode: 'eager' })
  await adapter.ask('describe')
  const error = valueIn(await adapter.call('early', {}, withToken))
  expect(error).toMatchObject({ code: -32_600, message: 'no call is under way' })
})

it('says that two calls are under way when a server asks then', async () => {
  const adapter = open({ options: ['--sampling'] })
  const waiting = adapter.call('wait', {}, withToken, 'c')
  await adapter.first
  const error = valueIn(await adapter.call('ask', askFor, withToken))
  expect(error).toMatchObject({ code: -32_600, message: expect.stringContaining('two calls') })
  adapter.send({ jsonrpc: '2.0', method: 'cancel', params: { id: 'c' } })
  await waiting
})

verifies.each(['mcp.sampling.granted', 'mcp.refused'])([
  ['sampling/createMessage', 'sampling is not granted'],
  ['elicitation/create', 'elicitation is not supported'],
  ['roots/list', 'roots are not supported'],
  ['no/such', 'there is no method no/such'],
])('refuses %s of a server', async (method, sentence) => {
  const error = valueIn(await plain.call('ask', { method, params: createMessage }, withToken))
  expect(error).toMatchObject({ code: -32_601, message: expect.stringContaining(sentence) })
})

verifies.each(['mcp.sampling.granted', 'mcp.refused'])([
  [[], {}],
  [['--sampling'], { sampling: {} }],
])('offers no more with %j than %j', async (options, capabilities) => {
  const adapter = options.length > 0 ? sampler : plain
  expect(valueIn(await adapter.call('initialized')).capabilities).toEqual(capabilities)
})

it('refuses sampling in a call without a token', async () => {
  const error = valueIn(await sampler.call('ask', askFor))
  expect(error).toMatchObject({ code: -32_000, data: { name: 'permission_denied' } })
})

verifies('mcp.noise', 'lives through garbage before the handshake and within a call', async () => {
  const adapter = open({ mode: 'garbage' })
  expect((await adapter.call('garbage')).result.output.content[0].text).toBe('still here')
  expect((await adapter.ask('describe')).result.name).toBe('odd')
  expect(adapter.stderr()).toContain('that is not a message (1000 in all)')
})

it('writes what a server logs to stderr', async () => {
  await plain.call('log')
  expect(plain.stderr()).toContain('svc-mcp: [warning] db: slow query')
})

verifies('mcp.end.server', 'fails the call under way with the exit code, and ends', async () => {
  const adapter = open()
  const { error } = await adapter.call('die', { code: 7 })
  expect(error.message).toBe('the MCP server has ended with exit code 7 before it answered tools/call')
  expect(await adapter.exit).toBe(7)
})

verifies.each('mcp.end.server')([
  ['dies at once', { mode: 'dies' }, 'has ended with exit code 3 before it answered initialize', 3],
  ['is not there', { server: ['no-such'] }, 'cannot be started: there is no program no-such', 127],
])('says of a server that %s what became of it', async (_, options, sentence, code) => {
  const adapter = open(options)
  const { error } = await adapter.ask('describe')
  expect(error.message).toContain(`the MCP server ${sentence}`)
  expect(await adapter.exit).toBe(code)
})

it('shows what a server writes to stderr', async () => {
  const adapter = open({ mode: 'dies' })
  await adapter.exit
  expect(adapter.stderr()).toContain('no key was given')
})

it('lets a call under way finish when its input ends', async () => {
  const adapter = open()
  const answer = adapter.call('echo', { a: 1 })
  expect(await adapter.end()).toBe(0)
  expect(valueIn(await answer)).toEqual({ a: 1 })
})

it('says how it is used', async () => {
  const adapter = open({ options: ['--port'] })
  expect(await adapter.exit).toBe(2)
  expect(adapter.stderr()).toContain('there is no option --port; the usage is: svc-mcp [--sampling]')
})
