import { verifies } from '@svc/conformance/verifies'
import { parseExact } from '@svc/contract/exact-json'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import type { WebSocket } from 'ws'
import { openMachineHost, plugin } from '../testing/runner-host.ts'

let at: Awaited<ReturnType<typeof openMachineHost>>
beforeEach(async () => {
  at = await openMachineHost({ limits: { LINK_GRACE_MS: 50 } })
})
afterEach(() => at.close())

const lost = { ok: false, code: 'agent_unavailable', details: { retriable: true } }
const invalid = { ok: false, code: 'plug_unavailable' }

describe('what a machine answers', () => {
  const text = (value: unknown) => JSON.stringify(value)
  const failure = { code: 'tool_failed', message: 'no' }

  verifies('link.serves', 'is the outcome of the call, with its text', async () => {
    const machine = await at.online()
    const call = at.call({ args: { n: 1 } })
    const asked = await machine.hear('call')
    expect(asked.head).toMatchObject({ tool: 'echo', user_id: 'ada', max_result_bytes: 1_000 })
    expect(asked.head.left_ms).toBeGreaterThan(0)
    expect(asked.head.left_ms).toBeLessThanOrEqual(20_000)
    expect(JSON.parse(asked.body.toString())).toEqual({ n: 1 })
    machine.say({ type: 'outcome', id: asked.head.id, ok: true }, '{"a": "ü"}')
    expect(await call).toEqual({ ok: true, payload: { a: 'ü' }, json: '{"a": "ü"}', bytes: 11 })
    expect(at.link().runner.stats()).toMatchObject({ busy: 0 })
  })

  verifies('plug.install.frozen', 'is asked with the time at which the version was frozen', async () => {
    const machine = await at.online()
    const call = at.call({ plugin: { ...plugin, frozenAt: 1_767_225_600_000 } })
    const asked = await machine.hear('call')
    expect(asked.head.plugin).toMatchObject({ id: plugin.id, frozen_at: 1_767_225_600_000 })
    machine.answer(asked, {})
    await call
  })

  verifies('numbers.verbatim', 'has its numbers as they came, and so have the arguments', async () => {
    const numbers = '{"a":1.0,"b":[-0,1E5,1e400],"id":12345678901234567890}'
    const machine = await at.online()
    const call = at.call({ args: parseExact(numbers) as Record<string, unknown> })
    const { head, body } = await machine.hear('call')
    expect(body.toString()).toBe(numbers)
    machine.say({ type: 'outcome', id: head.id, ok: true }, numbers)
    expect(await call).toMatchObject({ ok: true, json: numbers })
  })

  verifies.each('link.forged')<[string, boolean, string]>([
    ['no JSON', true, '{'],
    ['nothing', true, ''],
    ['one byte more than was asked for', true, text('x'.repeat(999))],
    ['much more than was asked for', true, text('x'.repeat(500_000))],
    ['bytes that grow when they are read', true, `"${'\xff'.repeat(500)}"`],
    [
      'too many levels',
      true,
      `${'['.repeat(400)}1${']'.repeat(400)}`.replace(/^/, '['.repeat(80)) + ']'.repeat(80),
    ],
    ['a failure with a code that is none', false, text({ ...failure, code: 'invalid_token' })],
    ['a failure with a code of an inherited name', false, text({ ...failure, code: 'constructor' })],
    ['a failure without words', false, text({ code: 'tool_failed' })],
    ['a failure that is a list', false, '[]'],
    ['a failure that is null', false, 'null'],
    ['a failure without end', false, text({ ...failure, message: 'x'.repeat(500_000) })],
  ])('is plug_unavailable where it is %s, and the link stays', async (_name, ok, body) => {
    await at.close()
    at = await openMachineHost({ limits: { RESULT_DEPTH_MAX: 400 } })
    const machine = await at.online()
    const call = at.call()
    const { head } = await machine.hear('call')
    machine.say(
      { type: 'outcome', id: head.id, ok },
      Buffer.from(body, body.includes('\xff') ? 'latin1' : 'utf8'),
    )
    expect(await call).toMatchObject(invalid)
    const next = at.call()
    machine.answer(await machine.hear('call'), {})
    expect(await next).toMatchObject({ ok: true })
  })

  verifies(
    'link.forged',
    'a failure has its words and details cut, and none of a strange shape',
    async () => {
      const machine = await at.online()
      const fail = async (body: object) => {
        const call = at.call()
        const { head } = await machine.hear('call')
        machine.say({ type: 'outcome', id: head.id, ok: false }, text(body))
        return call
      }
      expect(await fail({ ...failure, details: { error: 1 } })).toEqual({
        ok: false,
        ...failure,
        details: { error: 1 },
      })
      expect(await fail({ ...failure, details: { by: 'closing', error: 1 } })).toMatchObject({
        details: { by: undefined, error: 1 },
      })
      expect(await fail({ ...failure, details: [1], more: 2 })).toEqual({ ok: false, ...failure })
      const long = await fail({ ...failure, message: 'x'.repeat(9_000) })
      expect(long.ok ? '' : long.message).toHaveLength(4_000)
    },
  )

  verifies(
    'link.unwanted',
    'ids that it was not given, given twice or of another kind, are let go',
    async () => {
      const machine = await at.online()
      const call = at.call()
      const asked = await machine.hear('call')
      const id = asked.head.id as number
      for (const other of [id + 1, String(id), -1, null, [id], { id }])
        machine.say({ type: 'outcome', id: other, ok: true }, '{"forged":1}')
      machine.say({ type: 'progress', id, name: 'x' }, '1')
      machine.say({ type: 'started', id })
      machine.say({ type: 'ask', id: 1, call: id, method: 'llm/complete' }, '{}')
      machine.say({ type: 'toString', id })
      machine.answer(asked, { n: 1 })
      machine.answer(asked, { n: 2 })
      expect(await call).toMatchObject({ ok: true, payload: { n: 1 } })
      const next = at.call()
      machine.answer(await machine.hear('call'), { n: 3 })
      expect(await next).toMatchObject({ payload: { n: 3 } })
    },
  )

  verifies.each('link.malformed')<[string, (ws: WebSocket) => void, number]>([
    ['text', (ws) => ws.send('hello'), 1002],
    ['garbage', (ws) => ws.send(Buffer.alloc(40, 7)), 1002],
    ['a packet over the longest', (ws) => ws.send(Buffer.alloc(70_000)), 1009],
    ['a hello again and again', (ws) => flood(ws, '{"type":"hello"}\n'), 1002],
    ['a flood that nobody asked for', (ws) => flood(ws, '{"type":"outcome","id":7,"ok":true}\n1'), 1002],
  ])('ends its link where it is %s: what ran is lost, the host goes on', async (_name, say, code) => {
    const machine = await at.online()
    const call = at.call()
    await machine.hear('call')
    say(machine.ws)
    expect(await call).toMatchObject(lost)
    expect((await machine.closed).code).toBe(code)
    await at.online()
    expect(at.host.runners.online('ada')).toMatchObject([{ epoch: 2 }])
  })

  function flood(ws: WebSocket, message: string) {
    const bytes = Buffer.concat([Buffer.alloc(5), Buffer.from(message)])
    for (let count = 0; count < 1_500; count++) ws.send(bytes)
  }
})
