import { spawnSync } from 'node:child_process'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../port/log.ts'
import { openBed } from '../testing/bed.ts'
import { openPoolBed } from '../testing/pool.ts'
import { askPooled } from './call.ts'
import { WRONG_ARGS } from './judge.ts'

const bed = openBed()
afterAll(() => bed.runner.close())

const busy = (runner = bed.runner) => vi.waitFor(() => expect(runner.stats().busy).toBe(1), 10_000)
const endings = new Set(['answerAndExit', 'exit', 'crash', 'hang'])
const ok = (payload: unknown) => ({ ok: true, payload })
const fails = (code: string, details?: object) => ({ ok: false, code, ...(details && { details }) })

describe('how an outcome becomes a code', () => {
  // A user each where the process does not live on: the next row must not meet it on its way out.
  it.each([
    ['an object', 'echo', { a: [1, 'ü'] }, ok({ a: [1, 'ü'] })],
    ['a scalar under output', 'result', { value: { output: 5 } }, ok(5)],
    ['null under output', 'result', { value: { output: null } }, ok(null)],
    ['no output', 'result', { value: {} }, ok(null)],
    ['success true', 'result', { value: { success: true, output: 1 } }, ok(1)],
    [
      'a payload that looks like a failure',
      'echo',
      { success: false, error: 'x' },
      ok({ success: false, error: 'x' }),
    ],
    [
      'an error beside a result that is null',
      'raw',
      { text: '{"id":$ID,"result":{"output":1},"error":null}\n' },
      ok(1),
    ],
    ['spaces', 'raw', { text: ' { "id" : $ID , "result" : { "output" : [1, 2] } } \r\n' }, ok([1, 2])],
    ['keys in another order', 'raw', { text: '{"result":{"output":1},"id":$ID}\n' }, ok(1)],
    ['output twice', 'raw', { text: '{"jsonrpc":"2.0","id":$ID,"result":{"output":1,"output":2}}\n' }, ok(2)],
    [
      'a failure behind the output',
      'raw',
      { text: '{"jsonrpc":"2.0","id":$ID,"result":{"output":{},"success":false,"error":"no"}}\n' },
      fails('tool_failed', { error: 'no' }),
    ],
    [
      'a failure',
      'result',
      { value: { success: false, error: 'no such city' } },
      fails('tool_failed', { error: 'no such city' }),
    ],
    [
      'a failure that is an object',
      'result',
      { value: { success: false, error: { why: 1 } } },
      fails('tool_failed', { error: { why: 1 } }),
    ],
    [
      'a JSON-RPC error',
      'error',
      { value: { code: -32602, message: 'bad' } },
      fails('plug_error', { code: -32602, message: 'bad', hint: WRONG_ARGS }),
    ],
    [
      'a JSON-RPC error that is not about the arguments',
      'error',
      { value: { code: -32603, message: 'bad' } },
      fails('plug_error', expect.not.objectContaining({ hint: WRONG_ARGS })),
    ],
    ['an error that is text', 'error', { value: 'string' }, fails('plug_error', { message: 'string' })],
    ['an error with a code that is text', 'error', { value: { code: 'x' } }, fails('plug_error', {})],
    ['a result that is a list', 'result', { value: [] }, fails('plug_unavailable')],
    ['a result that is a number', 'result', { value: 5 }, fails('plug_unavailable')],
    ['no result', 'raw', { text: '{"jsonrpc":"2.0","id":$ID}\n' }, fails('plug_unavailable')],
    ['an answer and an exit', 'answerAndExit', {}, ok(1)],
    [
      'a last line without a line feed',
      'raw',
      { text: '{"id":$ID,"result":{"output":3}}' },
      fails('tool_timeout'),
    ],
    ['an exit with a code', 'exit', { code: 3 }, fails('plug_error', { exit_code: 3, signal: null })],
    ['an exit with 0', 'exit', { code: 0 }, fails('plug_error', { exit_code: 0, signal: null })],
    ['a crash', 'crash', {}, fails('plug_error', { signal: 'SIGSEGV' })],
    ['no answer', 'hang', {}, fails('tool_timeout')],
  ])('%s', async (row, tool, args, expected) => {
    const timeoutMs =
      expected.ok === false && 'code' in expected && expected.code === 'tool_timeout' ? 300 : 20_000
    expect(await bed.call(tool, args, { timeoutMs, userId: endings.has(tool) ? row : 'ada' })).toMatchObject(
      expected,
    )
  })

  it('gives the JSON text of the payload and its length in bytes', async () => {
    expect(await bed.call('echo', { a: 'ü' })).toMatchObject({ json: '{"a":"ü"}', bytes: 10 })
  })

  verifies('stdio.outcome.start', 'names a program that is not there', async () => {
    const plugin = { id: 'x', version: '1', command: ['no-such-program'] }
    expect(await bed.call('echo', {}, { plugin })).toMatchObject(fails('plug_unavailable'))
    expect(await bed.call('echo', {}, { plugin: { ...plugin, command: [] } })).toMatchObject(
      fails('plug_unavailable'),
    )
    expect(
      await bed.call('echo', {}, { plugin: { ...plugin, cwd: '/no/such/folder', command: ['node'] } }),
    ).toMatchObject(fails('plug_unavailable'))
  })
})

describe('sizes', () => {
  it.each([
    ['exactly the cap', 65_536, true],
    ['one byte more', 65_537, false],
  ])('%s', async (_, bytes, passes) => {
    const outcome = await bed.call('payload', { bytes }, { maxResultBytes: 65_536 })
    if (passes) expect(outcome).toMatchObject({ ok: true, bytes })
    else
      expect(outcome).toMatchObject(fails('result_too_large', { size: bytes, max: 65_536, retriable: false }))
  })

  it('counts bytes, not characters', async () => {
    const outcome = await bed.call('echo', { a: 'ü' }, { maxResultBytes: 9 })
    expect(outcome).toMatchObject(fails('result_too_large', { size: 10, max: 9, retriable: false }))
  })

  it('judges text with spaces by the value without them', async () => {
    const text = `{"id":$ID,"result":{"output":[1,${' '.repeat(100)}2]}}\n`
    expect(await bed.call('raw', { text }, { maxResultBytes: 5 })).toMatchObject({
      ok: true,
      json: '[1,2]',
      bytes: 5,
    })
  })

  it('refuses to send a line over the cap', async () => {
    const outcome = await bed.call('echo', { text: 'x'.repeat(16_777_216) })
    expect(outcome).toMatchObject(fails('frame_too_large', { max_frame_bytes: 16_777_216 }))
  })
})

describe('cancelling', () => {
  it('answers at once, sends the cancel line with the reason, and does not use the process again', async () => {
    const controller = new AbortController()
    const first = await bed.call('where')
    const call = bed.call('patient', {}, { signal: controller.signal })
    await busy()
    controller.abort('changed my mind')
    expect(await call).toMatchObject(fails('cancelled'))
    const second = await bed.call('where')
    expect(first.ok && second.ok && second.payload).not.toEqual(first.ok && first.payload)
  })

  verifies('stdio.stderr', 'tells the plugin why, and the log what it says', async () => {
    const told: string[] = []
    const log = { ...silentLog, info: (_: object, message: string) => void told.push(message) }
    const own = openBed({ log })
    const controller = new AbortController()
    await own.call('echo')
    const call = own.call('patient', {}, { signal: controller.signal })
    await busy(own.runner)
    controller.abort('changed my mind')
    await call
    await vi.waitFor(() => expect(told).toContain('cancelled: changed my mind'), 10_000)
    await own.runner.close()
  })

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('is heard at %i turns of a promise after the call', async (turns) => {
    const controller = new AbortController()
    const call = bed.call('patient', {}, { signal: controller.signal, timeoutMs: 5_000 })
    for (let turn = 0; turn < turns; turn++) await undefined
    controller.abort('changed my mind')
    expect(await call).toMatchObject(fails('cancelled'))
  })

  it.each([0, 1])(
    'sends nothing for a call that is given up %i turns of a promise after it',
    async (turns) => {
      const first = await bed.call('where')
      const controller = new AbortController()
      const call = bed.call('patient', {}, { signal: controller.signal })
      for (let turn = 0; turn < turns; turn++) await undefined
      controller.abort()
      expect(await call).toMatchObject(fails('cancelled'))
      // A process that had begun with it would not be used again.
      expect(await bed.call('where')).toEqual(first)
    },
  )

  it('gives back the process of a call that is given up as it gets it', async () => {
    const { clock, pool, made, wish } = openPoolBed()
    const controller = new AbortController()
    const asked: unknown[] = []
    const asking = askPooled(wish({ signal: controller.signal }), { clock, limits, pool }, (place) => {
      asked.push(place)
      return { id: 'inv_1', line: '{}', untilMs: clock.now() + 1_000, signal: controller.signal }
    })
    controller.abort()
    expect(await asking).toBe('aborted')
    expect([asked, made.map((worker) => worker.talk.usable)]).toEqual([[], [true]])
    expect(pool.stats()).toEqual({ processes: 1, busy: 0, waiting: 0 })
  })

  it('does not start what is cancelled already', async () => {
    expect(await bed.call('echo', {}, { signal: AbortSignal.abort() })).toMatchObject(fails('cancelled'))
  })
})

describe('waiting for a process', () => {
  verifies(
    ['decision.pool.wait_counts', 'decision.pool.never_free'],
    'counts against the deadline; without one it is plug_unavailable, retriable',
    async () => {
      const own = openBed({ limits: { POOL_PER_PLUGIN: 1 } })
      const first = own.call('hang', {}, { timeoutMs: 400 })
      expect(await own.call('echo', {}, { timeoutMs: 100 })).toMatchObject(
        fails('plug_unavailable', { retriable: true }),
      )
      const third = own.call('echo', { third: true })
      expect(await first).toMatchObject(fails('tool_timeout'))
      expect(await third).toMatchObject(ok({ third: true }))
      await own.runner.close()
    },
  )

  it('lets a reply inside the grace be a success', async () => {
    // A process of its own, which takes longer than that to begin.
    const late = { userId: 'late', timeoutMs: 20, graceMs: 10_000 }
    const later = bed.call('line', { line: 'noise' }, late)
    expect(await later).toMatchObject(ok({ done: true }))
  })
})

describe('what a plugin is told', () => {
  verifies(
    ['wall.plugin.environment', 'wall.plugin.folder'],
    'gets its own short environment and a folder of its own',
    async () => {
      process.env.SVC_SECRET_OF_THE_HOST = 'x'
      const outcome = await bed.call('env')
      const env = outcome.ok ? (outcome.payload as Record<string, string>) : {}
      expect(env.SVC_SECRET_OF_THE_HOST).toBeUndefined()
      expect(env.PATH).toBe(process.env.PATH)
      const where = await bed.call('where', {}, { plugin: bed.plugin({ OTHER: '1' }) })
      expect(where).toMatchObject({ ok: true, payload: { cwd: expect.stringContaining('svc-runner-') } })
    },
  )

  it.each([
    ['host/uploadFile', -32000],
    ['host/unknown', -32601],
  ])('hears that %s is not offered', async (method, code) => {
    expect(await bed.call('reverseAnswer', { method })).toMatchObject(ok({ error: { code } }))
  })
})

describe('a process in doubt', () => {
  it.each([
    ['twice', {}],
    ['halfLine', {}],
    ['line', { line: '{"jsonrpc":"2.0","id":"other","result":{}}' }],
  ])('is not used again after %s', async (tool, args) => {
    const own = { userId: `user-of-${tool}` }
    const before = await bed.call('where', {}, own)
    expect(await bed.call(tool, args, own)).toMatchObject({ ok: true })
    const after = await bed.call('where', {}, own)
    expect(after.ok && before.ok && after.payload).not.toEqual(before.ok && before.payload)
  })
})

describe('a plugin in plain Python', () => {
  beforeEach(({ skip }) =>
    skip(spawnSync('python3', ['-c', '']).status !== 0, 'python3: not installed; npm run tools'),
  )
  const plugin = {
    id: 'tool-echo-py',
    version: '1.0.0',
    command: ['python3', new URL('../testing/echo.py', import.meta.url).pathname],
  }
  verifies('stdio.python', 'describes itself and answers', async () => {
    expect(await bed.runner.describe(plugin)).toMatchObject({ ok: true, description: { name: 'echo-py' } })
    expect(await bed.call('echo', { text: 'grüß' }, { plugin })).toMatchObject(ok({ text: 'grüß' }))
  })
})
