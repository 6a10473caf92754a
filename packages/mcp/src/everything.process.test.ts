import { fileURLToPath } from 'node:url'
import { cites } from '@svc/conformance/cites'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect, vi } from 'vitest'

cites('mcp.protocol')
// Each call may start a process.
vi.setConfig({ testTimeout: 20_000 })

const server = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
const command = ['node', server] as const
/** A host of these options makes a runner of its own and closes it. */
const ownRunner = { runner: undefined } as unknown as TestHostOptions
const PATIENT = { timeout: 8_000, interval: 50 }

let testHost: TestHost
let window: TestWindow
beforeAll(async () => {
  testHost = await openTestHost({
    ...ownRunner,
    plugins: [
      { slug: 'everything', command, protocol: 'mcp', sampling: true },
      { slug: 'plain', command, protocol: 'mcp' },
    ],
    manifest: { required_plugs: ['everything', 'plain'], host_api: { llm: ['complete'] } },
  })
  await testHost.host.plugins.ready()
  window = await testHost.openWindow()
}, 20_000)
afterAll(() => testHost.close())

/** A call of a tool; the result as the app has it, or the error. */
async function invoke(method: string, args: object = {}, tool_id = 'everything') {
  const answer = await window.call('tools', 'invoke', { tool_id, method, args })
  return answer.ok ? { result: answer.result } : { error: answer.error }
}

/** The text of the first block. */
const textIn = ({ result }: { result?: unknown }) =>
  (result as { content: { text: string }[] } | undefined)?.content[0]?.text

async function listed(handle: string) {
  const answer = await window.call('tools', 'list')
  if (!answer.ok) throw new Error(answer.error.message)
  const { tools } = answer.result as { tools: { plugin_name: string; tool_name: string; tool_id: string }[] }
  return tools.filter(({ tool_id }) => tool_id.startsWith(`tool-local-${handle}-`))
}

verifies('mcp.describe', 'the tools of the server are in tools.list with their schemas', async () => {
  const echo = (await listed('everything')).find(({ tool_name }) => tool_name === 'echo')
  expect(echo).toMatchObject({
    plugin_name: 'mcp-servers/everything',
    description: 'Echoes back the input string',
    input_schema: { type: 'object', required: ['message'] },
    status: 'available',
  })
})

verifies(
  'mcp.sampling.granted',
  'the server offers what samples only where sampling is granted',
  async () => {
    const names = async (handle: string) => (await listed(handle)).map(({ tool_name }) => tool_name)
    expect(await names('everything')).toContain('trigger-sampling-request')
    expect(await names('plain')).not.toContain('trigger-sampling-request')
  },
)

verifies.each('mcp.call')([
  ['echo', { message: 'Grüße' }, 'Echo: Grüße'],
  ['get-sum', { a: 2, b: 3 }, 'The sum of 2 and 3 is 5.'],
])('%s answers', async (method, args, text) => {
  expect(textIn(await invoke(method, args))).toBe(text)
})

verifies('mcp.call', 'structured content comes as a value', async () => {
  const { result } = await invoke('get-structured-content', { location: 'Chicago' })
  expect(result).toMatchObject({
    structuredContent: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
    content: [{ type: 'text' }],
  })
})

verifies('mcp.call', 'an image and a resource come as the blocks they are', async () => {
  const image = await invoke('get-tiny-image')
  expect(image.result).toMatchObject({
    content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }, { type: 'text' }],
  })
  const resource = await invoke('get-resource-reference', { resourceType: 'Text', resourceId: 1 })
  expect(resource.result).toMatchObject({
    content: expect.arrayContaining([expect.objectContaining({ type: 'resource' })]),
  })
})

verifies('mcp.call.failure', 'arguments that the server refuses fail with its words', async () => {
  const { error } = await invoke('echo', {})
  expect(error).toMatchObject({
    code: 'tool_failed',
    message: expect.stringContaining('Input validation error'),
  })
})

verifies('mcp.sampling', 'the server has a completion of the model of the host', async () => {
  const text = textIn(await invoke('trigger-sampling-request', { prompt: 'say hello', maxTokens: 50 }))
  expect(text).toContain('LLM sampling result')
  expect(JSON.parse(text?.slice(text.indexOf('{')) ?? '')).toMatchObject({
    role: 'assistant',
    content: { type: 'text', text: expect.stringMatching(/./) },
    model: 'svc-dev',
  })
})

interface Job {
  readonly state: string
  readonly progress: readonly { readonly data: unknown }[]
  readonly result?: unknown
}

async function start(args: object): Promise<{ readonly jobId: string; read(): Promise<Job> }> {
  const method = 'trigger-long-running-operation'
  const answer = await window.call('tools', 'invokeAsync', { tool_id: 'everything', method, args })
  if (!answer.ok) throw new Error(answer.error.message)
  const { jobId } = answer.result as { jobId: string }
  const read = async () => {
    const job = await window.call('tools', 'getJob', { jobId })
    if (!job.ok) throw new Error(job.error.message)
    return job.result as unknown as Job
  }
  return { jobId, read }
}

verifies('mcp.progress', 'a job of the server tells how far it has come, and ends', async () => {
  const { read } = await start({ duration: 0.3, steps: 3 })
  await expect.poll(async () => (await read()).state, PATIENT).toBe('succeeded')
  const { progress, result } = await read()
  expect(progress.map(({ data }) => data)).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3 })))
  expect(textIn({ result })).toContain('Long running operation completed')
})

verifies('mcp.cancel', 'a job of the server is cancelled', async () => {
  const { jobId, read } = await start({ duration: 60, steps: 600 })
  await expect.poll(async () => (await read()).progress.length, PATIENT).toBeGreaterThan(0)
  const answer = await window.call('tools', 'cancelJob', { jobId, reason: 'enough' })
  expect(answer).toMatchObject({ ok: true, result: { state: 'cancelled', cancelled: true } })
  expect((await read()).state).toBe('cancelled')
})
