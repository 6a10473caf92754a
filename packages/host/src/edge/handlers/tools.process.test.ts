import { rounds } from '@svc/conformance/rounds'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse } from '@svc/contract'
import { afterAll, beforeAll, describe, expect } from 'vitest'

let services: ToolHost

beforeAll(async () => {
  services = await openToolHost()
})
afterAll(() => services.close())

type Success = Extract<RpcResponse, { ok: true }>
const failure = (code: string, details?: unknown) => ({
  id: '1',
  ok: false,
  error: { code, message: expect.any(String), ...(details !== undefined && { details }) },
})
const success = (result: unknown) => ({ id: '1', ok: true, result })

describe('tools.list', () => {
  verifies(
    ['tools.entry.fields', 'tools.entry.status', 'tools.list.one_entry_a_tool', 'version.tool_status'],
    'has one entry a tool, with what a client needs to call it',
    async () => {
      const { result } = (await services.window.call('tools', 'list')) as Success
      expect(result.tools).toHaveLength(17)
      expect(result.tools).toContainEqual({
        tool_id: expect.stringMatching(/^tool-local-odd-[0-9a-f]{8}$/),
        plugin_name: 'odd',
        tool_name: 'echo',
        description: 'Does echo.',
        input_schema: expect.any(Object),
        status: 'available',
      })
    },
  )

  verifies('tools.list.no_round_trip', 'asks no plugin', async () => {
    const before = [services.read().length, services.runner.stats().processes]
    await services.window.call('tools', 'list')
    expect([services.read().length, services.runner.stats().processes]).toEqual(before)
  })
})

describe('what the plugin reads', () => {
  verifies(
    [
      'tools.invoke.payload',
      'tools.invoke.args.verbatim',
      'tools.invoke.args.unchecked',
      'host.config.plugins',
    ],
    'is args as they were sent, and its answer comes back without an envelope',
    async () => {
      const args = {
        text: 'ä\u2028\ud83d\ude00\u0000"\\\n',
        deep: { list: [1, null, [true, { x: {} }]], number: -0.5e-7 },
        timeoutMs: 'not a number',
        tool_id: 7,
        '': '',
      }
      expect(await services.invoke('echo', args)).toEqual(
        success(expect.objectContaining({ name: 'echo', args })),
      )
      expect(await services.window.call('tools', 'invoke', { tool_id: 'odd__echo' })).toEqual(
        success(expect.objectContaining({ args: {} })),
      )
    },
  )

  verifies('tools.invoke.args.verbatim', 'is a member named __proto__ like any other', async () => {
    const args = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"a":1}'
    const { text } = await services.window.post(
      `{"id":"1","window_uuid":"${services.window.windowUuid}","ns":"tools","method":"invoke",` +
        `"args":{"tool_id":"odd.echo","args":${args}}}`,
    )
    expect(text).toContain(`"args":${args}`)
  })
})

describe('what the plugin answers', () => {
  const reply = (members: unknown) => services.invoke('reply', { reply: members })

  verifies.each(['tools.reply.inner', 'error.tool_failed', 'stdio.outcome.failure', 'stdio.failure.result'])([
    [{ success: false, error: 'no such city' }, { error: 'no such city' }],
    [{ success: false }, { error: null }],
    [{ success: false, error: { code: 7 }, output: { x: 1 } }, { error: { code: 7 } }],
  ])('%j is tool_failed', async (result, details) => {
    expect(await reply({ result })).toEqual(failure('tool_failed', details))
  })

  verifies.each([
    'tools.reply.outer',
    'decision.reply.no_object',
    'error.plug_unavailable',
    'stdio.outcome.no_reply',
  ])([[{ result: null }], [{ result: [] }], [{ result: 'text' }], [{ result: 1 }], [{}]])(
    'a reply of %j is plug_unavailable, and the next call is served',
    async (members) => {
      expect(await reply(members)).toEqual(failure('plug_unavailable'))
      expect((await services.invoke('echo')).ok).toBe(true)
    },
  )

  verifies.each(['stdio.outcome.no_reply', 'error.plug_unavailable'])([
    [500, 'ok'],
    [2_000, 'plug_unavailable'],
    // Beyond any stack; once a release, a line of 6 MB of them.
    [rounds(3_000_000, 200_000), 'plug_unavailable'],
  ])('lists %i levels deep are answered with %s', async (depth, code) => {
    const answer = await services.invoke('deep', { depth })
    expect(answer.ok ? 'ok' : answer.error.code).toBe(code)
    expect((await services.invoke('echo')).ok).toBe(true)
  })

  verifies.each(['error.plug_error', 'stdio.outcome.error', 'stdio.failure.error'])([
    [
      { code: -32603, message: 'broken' },
      { code: -32603, message: 'broken' },
    ],
    [{ message: 'no code' }, { message: 'no code' }],
    ['a text', { message: 'a text' }],
  ])('the error %j is plug_error', async (error, details) => {
    expect(await reply({ error })).toEqual(failure('plug_error', details))
  })

  verifies.each(['stdio.outcome.output', 'tools.reply.object'])([
    [{ output: { success: false, error: 'x' } }, { success: false, error: 'x' }],
    [{ output: { jsonrpc: '2.0', id: 1, result: {} } }, { jsonrpc: '2.0', id: 1, result: {} }],
    [{ output: [1] }, { value: [1] }],
    [{ output: null }, {}],
    [{}, {}],
    [{ success: true, output: 1, error: 'ignored' }, { value: 1 }],
  ])('under output of %j stands the payload', async (result, payload) => {
    expect(await reply({ result })).toEqual(success(payload))
  })

  verifies.each(['stdio.outcome.exit', 'error.plug_error'])([
    ['exit', { code: 0 }, { exit_code: 0, signal: null }],
    ['exit', { code: 7 }, { exit_code: 7, signal: null }],
    ['die', {}, expect.objectContaining({ signal: 'SIGKILL' })],
  ])('%s %j is plug_error with how it ended', async (method, args, details) => {
    expect(await services.invoke(method, args)).toEqual(failure('plug_error', details))
    expect((await services.invoke('echo')).ok).toBe(true)
  })
})

describe('caps', () => {
  const MAX = 4_194_304
  verifies.each(['error.result_too_large', 'decision.caps.exact', 'version.harness.results'])([
    [MAX, true],
    [MAX + 1, false],
  ])('a result of %i bytes passes: %s', async (bytes, passes) => {
    const answer = await services.invoke('size', { bytes })
    if (passes) expect(JSON.stringify((answer as { result: unknown }).result)).toHaveLength(bytes)
    else expect(answer).toEqual(failure('result_too_large', { size: bytes, max: MAX, retriable: false }))
  })

  verifies.each(['decision.caps.sync_args', 'decision.caps.exact', 'error.invalid_arg'])([
    [MAX, true],
    [MAX + 1, false],
  ])('arguments of %i bytes pass: %s', async (bytes, passes) => {
    const pad = 'x'.repeat(bytes - '{"reply":{"result":{}},"pad":""}'.length)
    const answer = await services.invoke('reply', { reply: { result: {} }, pad })
    expect(answer).toEqual(
      passes ? success({}) : failure('invalid_arg', { path: 'args', size: bytes, max: MAX }),
    )
  })

  verifies(
    [
      'error.frame_too_large',
      'error.frame_too_large.serves_on',
      'stdio.outcome.frame',
      'version.harness.line',
    ],
    'a line over 16 MiB fails its call and no other',
    async () => {
      const bytes = 16_777_217
      expect(await services.invoke('line', { bytes })).toEqual(
        failure('frame_too_large', { frame_bytes: bytes, max_frame_bytes: 16_777_216 }),
      )
      expect((await services.invoke('echo')).ok).toBe(true)
    },
  )
})

describe('tools that are not to be called', () => {
  verifies.each(['error.invalid_arg'])([
    ['an unknown tool', { tool_id: 'odd', method: 'nosuch' }],
    ['no tool_id', {}],
    ['an empty tool_id', { tool_id: '' }],
    ['args that are a list', { tool_id: 'odd.echo', args: [] }],
    ['args that are null', { tool_id: 'odd.echo', args: null }],
    ['a method that is a number', { tool_id: 'odd', method: 1 }],
  ])('%s is invalid_arg', async (_name, args) => {
    const answer = await services.window.call('tools', 'invoke', args)
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_arg' } })
  })

  verifies.each(['error.permission_denied.tool', 'design.denied_by'])([
    ['an undeclared plugin', 'other.echo'],
    ['a name that objects inherit', 'constructor.echo'],
  ])('%s is permission_denied by the tool list', async (_name, tool_id) => {
    const answer = await services.window.call('tools', 'invoke', { tool_id })
    expect(answer).toEqual(failure('permission_denied', { denied_by: 'tool', hint: expect.any(String) }))
  })
})
