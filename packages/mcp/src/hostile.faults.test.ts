import { randomUUID } from 'node:crypto'
import { leftOf, processesWith, slackMs } from '@svc/conformance/processes'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AdapterOptions, openAdapter } from './testing/adapter.ts'

const server = new URL('./testing/odd-server.mjs', import.meta.url).pathname
const mark = randomUUID()
const env = { MCP_MARK: mark }
const living = () => processesWith(`MCP_MARK=${mark}`)
/** From an end to the end of every process that it leaves. */
const GONE_MS = 4_000
/** What takes longer on a busy machine never comes. */
const PATIENT = { timeout: 20_000, interval: 20 }

let testHost: ToolHost
beforeAll(async () => {
  testHost = await openToolHost({ limits: { DESCRIBE_TIMEOUT_MS: PATIENT.timeout } })
})
afterAll(() => testHost.close())

const open = (options: AdapterOptions = {}) => openAdapter({ ...options, env })

/** A call through the runner, in a process of its own user. */
function call(tool: string, args: Record<string, unknown> = {}, timeoutMs = 20_000, signal?: AbortSignal) {
  return testHost.runner.call({
    userId: randomUUID(),
    plugin: { id: 'tool-mcp', version: '1.0.0', command: ['node', server], protocol: 'mcp', env },
    tool,
    args,
    timeoutMs,
    signal,
    deadlineMs: Date.now() + timeoutMs,
    graceMs: 0,
    invokeId: randomUUID(),
    maxResultBytes: limits.SYNC_PAYLOAD_MAX_BYTES,
  })
}

/** What a server that answers takes from its start, on this machine as it is now. */
async function startsInMs(): Promise<number> {
  const from = performance.now()
  const adapter = open()
  await adapter.ask('describe')
  const tookMs = performance.now() - from
  await adapter.end()
  return tookMs
}

/** They have the whole time that a server may take. */
const beside = { concurrent: true }

verifies('mcp.silent', 'a server that never shakes hands is given up in time to say so', beside, async () => {
  const started = performance.now()
  const outcome = await testHost.runner.describe({
    id: 'tool-mute',
    version: '1.0.0',
    command: ['node', server],
    protocol: 'mcp',
    env: { ...env, MODE: 'mute' },
  })
  expect(outcome).toMatchObject({ ok: false, code: 'plug_error' })
  expect(JSON.stringify(outcome)).toContain('did not answer initialize within 8000 ms')
  expect(outcome).toHaveProperty('details.stderr', expect.stringContaining('asked to shake hands'))
  const tookMs = performance.now() - started
  expect(tookMs).toBeLessThan(limits.DESCRIBE_TIMEOUT_MS + (await slackMs()) + (await startsInMs()))
})

verifies('mcp.stderr', 'what a server said last is told with the failure of its start', beside, async () => {
  const outcome = await testHost.runner.describe({
    id: 'tool-keyless',
    version: '1.0.0',
    command: ['node', server],
    protocol: 'mcp',
    env: { ...env, MODE: 'dies' },
  })
  expect(outcome).toMatchObject({ code: 'plug_error', details: { stderr: 'no key was given' } })
})

verifies('mcp.silent', 'a server that never lists its tools is given up', beside, async () => {
  const started = performance.now()
  const adapter = open({ mode: 'listless' })
  const { error } = await adapter.ask('describe')
  expect(error.message).toMatch(/^the MCP server did not answer tools\/list within 8000 ms: .*"start_ms"/)
  const tookMs = performance.now() - started
  expect(tookMs).toBeLessThan(limits.DESCRIBE_TIMEOUT_MS + (await slackMs()) + (await startsInMs()))
  expect(await adapter.end()).toBe(0)
})

verifies.each('mcp.end.input')([
  ['that ends with its input', ''],
  ['that ignores its end and SIGTERM, and has a child', 'stays'],
  ['that never shook hands', 'mute'],
])('nothing is left of a server %s', async (_, mode) => {
  const adapter = open({ mode })
  if (mode === 'mute') await expect.poll(adapter.stderr, PATIENT).toContain('asked to shake hands')
  else await adapter.ask('describe')
  await expect.poll(() => living().length, PATIENT).toBeGreaterThan(1)
  const started = performance.now()
  expect(await adapter.end()).toBe(0)
  const tookMs = performance.now() - started
  expect(tookMs).toBeLessThan(limits.CANCEL_KILL_MS + 500 + (await slackMs()))
  expect(await leftOf(living, GONE_MS)).toEqual([])
})

verifies.each('mcp.end.input')([['SIGTERM'], ['SIGINT'], ['SIGHUP']] as const)(
  'nothing is left of a server whose plugin ends by %s',
  async (signal) => {
    const adapter = open({ mode: 'stays' })
    await adapter.ask('describe')
    adapter.kill(signal)
    await adapter.exit
    expect(await leftOf(living, GONE_MS)).toEqual([])
  },
)

test('nothing is left of a server that stays when the runner cancels its call', async () => {
  const cancel = new AbortController()
  const outcome = call('wait', {}, 20_000, cancel.signal)
  await expect.poll(() => living().length, PATIENT).toBeGreaterThan(1)
  cancel.abort('enough')
  expect(await outcome).toMatchObject({ ok: false, code: 'cancelled' })
  expect(await leftOf(living, GONE_MS)).toEqual([])
})

verifies('mcp.noise', 'a result over the cap fails that call alone', async () => {
  const outcome = await call('big', { bytes: 10 * 1_024 * 1_024 })
  expect(outcome).toMatchObject({ ok: false, code: 'result_too_large' })
})

verifies('mcp.noise', 'a line over 16 MiB fails the call under way and ends the server', async () => {
  const adapter = open()
  const { error } = await adapter.call('endless', { bytes: limits.LINE_MAX_BYTES + 1 })
  expect(error.message).toContain('a line of the MCP server must be at most 16777216 bytes')
  // It may go on with the call: nobody can know which line that was.
  expect(await adapter.exit).toBe(1)
})

verifies('mcp.end.server', 'a server that dies in a call fails it through the runner', async () => {
  const outcome = await call('die', { code: 7 })
  expect(outcome).toMatchObject({ ok: false, code: 'plug_error' })
  expect(JSON.stringify(outcome)).toContain('has ended with exit code 7')
  expect(await call('echo')).toMatchObject({ ok: true })
})

verifies('mcp.cancel', 'a call past its deadline ends as one', async () => {
  expect(await call('wait', {}, 1_500)).toMatchObject({ ok: false, code: 'tool_timeout' })
})
