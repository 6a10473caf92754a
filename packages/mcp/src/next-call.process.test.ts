import { rounds } from '@svc/conformance/rounds'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterAll, beforeAll, expect } from 'vitest'

const server = new URL('./testing/odd-server.mjs', import.meta.url).pathname
const plugin = { id: 'tool-mcp', version: '1.0.0', command: ['node', server], protocol: 'mcp' } as const
/** Each time three processes race. */
const TIMES = rounds(10, 2)

let testHost: ToolHost
beforeAll(async () => {
  testHost = await openToolHost()
})
afterAll(() => testHost.close())

verifies.each('mcp.end.next')([
  ['ended in a call', 'die', { ok: false, code: 'plug_error' }],
  ['ended right after its answer', 'dieAfter', { ok: true }],
  ['read no more after its answer', 'deafAfter', { ok: true }],
])('the call after a server %s gets one of its own, at once', async (_, tool, first) => {
  let calls = 0
  const call = (name: string, args: Record<string, unknown>) =>
    testHost.runner.call({
      userId: 'ada',
      plugin,
      tool: name,
      args,
      timeoutMs: 20_000,
      graceMs: 0,
      deadlineMs: Date.now() + 20_000,
      invokeId: `inv_${++calls}`,
      maxResultBytes: limits.SYNC_PAYLOAD_MAX_BYTES,
    })
  for (let time = 1; time <= TIMES; time++) {
    expect(await call(tool, { code: 7 })).toMatchObject(first)
    expect(await call('echo', { time })).toMatchObject({ ok: true })
  }
})
