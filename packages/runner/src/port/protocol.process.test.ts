import { fileURLToPath } from 'node:url'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, expect } from 'vitest'
import { createRunner } from '../runner.ts'
import type { CommandSpec } from './runner.ts'

const runner = createRunner()
afterAll(() => runner.close())

const server = fileURLToPath(new URL('../../../mcp/src/testing/odd-server.mjs', import.meta.url))
const plugin: CommandSpec = { id: 'tool-odd', version: '1.0.0', command: ['node', server], protocol: 'mcp' }

verifies('mcp.protocol', 'a runner describes and calls an MCP server', async () => {
  const outcome = await runner.describe(plugin)
  expect(outcome).toMatchObject({ ok: true, description: { name: 'odd', version: '1.2.3' } })
  const timeoutMs = 20_000
  const called = await runner.call({
    userId: 'ada',
    plugin,
    tool: 'echo',
    args: { a: 1 },
    timeoutMs,
    deadlineMs: Date.now() + timeoutMs,
    graceMs: 0,
    invokeId: 'inv_1',
    maxResultBytes: 1_000,
  })
  expect(called).toMatchObject({ ok: true, payload: { content: [{ type: 'text', text: '{"a":1}' }] } })
})
