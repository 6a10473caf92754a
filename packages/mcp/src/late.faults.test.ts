import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slackMs } from '@svc/conformance/processes'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { openAdapter } from './testing/adapter.ts'

const server = new URL('./testing/odd-server.mjs', import.meta.url).pathname
const command: [string, ...string[]] = ['node', server]
const plugin = { id: 'tool-mcp', version: '1.0.0', command, protocol: 'mcp' } as const
/** A server that goes on makes its next steps within this. */
const LOOK_MS = 200
const PATIENT = { timeout: 20_000, interval: 20 }

let testHost: ToolHost
beforeAll(async () => {
  testHost = await openToolHost({
    plugins: [{ slug: 'steps', command, protocol: 'mcp' }],
    manifest: { required_plugs: ['steps'] },
  })
})
afterAll(() => testHost.close())

/** What a server did of a call of far more steps than it may take: by which process, and when. */
function stepsOf(file: string) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '))
    .map(([by = '', at]) => ({ by, at: Number(at) }))
}

/** A call, or a job, whose server writes a line each 50 ms and cares for nothing. */
function begin(how: 'call' | 'job', timeoutMs: number) {
  const file = join(testHost.folder, randomUUID())
  const cancel = new AbortController()
  const work = {
    userId: file,
    plugin,
    tool: 'steps',
    args: { file, count: 2_000 },
    timeoutMs,
    deadlineMs: Date.now() + timeoutMs,
    maxResultBytes: limits.SYNC_PAYLOAD_MAX_BYTES,
    signal: cancel.signal,
  }
  const listeners = { onStarted() {}, onProgress() {}, onDropped() {}, onHeartbeat() {} }
  const outcome =
    how === 'call'
      ? testHost.runner.call({ ...work, invokeId: randomUUID(), graceMs: limits.SYNC_GRACE_MS })
      : testHost.runner.job({ ...work, jobId: randomUUID(), ...listeners })
  return { file, cancel, outcome, deadlineMs: work.deadlineMs }
}

/** Nothing of it goes on after its time; returns the process that did it. */
async function expectOver(file: string, endMs: number): Promise<string | undefined> {
  const most = limits.CANCEL_KILL_MS + (await slackMs())
  const wait = { ...PATIENT, timeout: most + PATIENT.timeout }
  await expect.poll(() => Date.now() - endMs, wait).toBeGreaterThan(most + LOOK_MS)
  const steps = stepsOf(file)
  expect((steps.at(-1)?.at ?? 0) - endMs).toBeLessThan(most)
  return steps[0]?.by
}

const begun = (file: string) => expect.poll(() => stepsOf(file).length, PATIENT).toBeGreaterThan(1)

verifies.each('mcp.cancel.ends')([
  ['deadline of a call', 'call', 'tool_timeout'],
  ['cancel of a call', 'call', 'cancelled'],
  ['deadline of a job', 'job', 'tool_timeout'],
  ['cancel of a job', 'job', 'cancelled'],
] as const)('nothing goes on after the %s', async (_, how, code) => {
  const { cancel, deadlineMs, file, outcome } = begin(how, code === 'cancelled' ? 60_000 : 6_000)
  await begun(file)
  const cancelledMs = Date.now()
  if (code === 'cancelled') cancel.abort('enough')
  const next = outcome.then(() => nextOf(file))
  expect(await outcome).toMatchObject({ ok: false, code })
  const by = await expectOver(file, code === 'cancelled' ? cancelledMs : deadlineMs)
  expect(await next).not.toBe(by)
})

/** The process that does the next call of the same user, which answers as asked. */
async function nextOf(userId: string): Promise<string | undefined> {
  const file = join(testHost.folder, randomUUID())
  const outcome = await testHost.runner.call({
    userId,
    plugin,
    tool: 'steps',
    args: { file, count: 3 },
    timeoutMs: 20_000,
    deadlineMs: Date.now() + 20_000,
    graceMs: 0,
    invokeId: randomUUID(),
    maxResultBytes: limits.SYNC_PAYLOAD_MAX_BYTES,
  })
  expect(outcome).toMatchObject({ ok: true, payload: { content: [{ text: 'all of it' }] } })
  expect(stepsOf(file)).toHaveLength(3)
  return stepsOf(file)[0]?.by
}

verifies('mcp.cancel.ends', 'nothing goes on after its window has closed', async () => {
  const window = await testHost.openWindow()
  const file = join(testHost.folder, randomUUID())
  const call = window.call('tools', 'invoke', {
    tool_id: 'steps',
    method: 'steps',
    args: { file, count: 2_000 },
  })
  await begun(file)
  const closedMs = Date.now()
  expect((await window.call('window', 'close')).ok).toBe(true)
  expect(await call).toMatchObject({ ok: false })
  await expectOver(file, closedMs)
})

verifies('mcp.cancel.ends', 'a request that a server makes after the cancel is refused', async () => {
  const file = join(testHost.folder, randomUUID())
  const adapter = openAdapter({ options: ['--sampling'] })
  let asked = 0
  adapter.hear(() => {
    asked += 1
    return { error: { code: -32_000, message: 'not now' } }
  })
  const sampled = {
    messages: [{ role: 'user', content: { type: 'text', text: 'Name a colour.' } }],
    maxTokens: 5,
  }
  const context = { sampling_token: 'secret' }
  const answer = adapter.call('steps', { file, count: 2_000, sampled }, { context }, 'c')
  await expect.poll(() => asked, PATIENT).toBeGreaterThan(1)
  adapter.send({ jsonrpc: '2.0', method: 'cancel', params: { id: 'c', reason: 'enough' } })
  const cancelledMs = Date.now()
  expect(await answer).toMatchObject({ result: { success: false, error: 'enough' } })
  const after = stepsOf(file).filter(({ at }) => at > cancelledMs).length
  const before = stepsOf(file).length - after
  expect(after).toBeGreaterThan(1)
  // One may be on its way as the cancel is.
  expect(asked).toBeLessThanOrEqual(before + 1)
  await adapter.exit
})
