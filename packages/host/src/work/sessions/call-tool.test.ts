import { verifies } from '@svc/conformance/verifies'
import { limits, refuse } from '@svc/contract'
import * as z from '@svc/contract/zod'
import type { CallOutcome } from '@svc/runner'
import { describe, expect, test } from 'vitest'
import { never, openToolBed, pluginId, type ToolBed } from '../../testing/session-tools.ts'
import type { AddedPlatformTool } from './platform-tools.ts'

const MAX = limits.SESSION_TOOL_RESULT_MAX_BYTES
const agent = (more: Readonly<Record<string, unknown>> = {}) => ({
  agent: { session: { auto: true, fixed: null }, tools: ['time_now', 'do_it'], ...more },
})
const all = { agent: { platform_tools: ['time_now', 'do_it'] } }
const told = (code: string) => ({ error: { code, message: expect.stringMatching(/./) } })

/** A test bed whose app may call `time_now`, `do_it` and the plugin `build`. */
async function open(call: AddedPlatformTool['call'] = () => ({ done: true })) {
  const doIt = { name: 'do_it', description: 'Does it.', dev_safe: false, args: z.looseObject({}), call }
  const bed = await openToolBed(
    { host_api: agent(), required_plugs: ['build'], grants: all },
    { platformTools: [doIt] },
  )
  const build = `${await pluginId(bed, 'build')}__all`
  return Object.assign(bed, { build, doIt: async () => bed.call(await bed.session(), 'do_it') })
}

verifies('audit.entry', 'a call of a session is noted as one of a window is, with the session', async () => {
  const bed = await open()
  const session = await bed.session()
  await bed.call(session, bed.build, { secret: 'x' })
  await bed.call(session, 'do_it')
  const { entries } = await bed.services.audit.read({ log: 'calls', what: 'tool.call', limit: 10 })
  const common = {
    at: expect.any(String),
    what: 'tool.call',
    user_id: 'ada',
    outcome: 'ok',
    app_id: bed.appId,
    window_uuid: bed.windowUuid,
    app_session_uuid: session.id,
    ms: expect.any(Number),
  }
  expect(entries).toEqual([
    { ...common, target: await pluginId(bed, 'build'), method: 'all' },
    { ...common, target: 'do_it' },
  ])
})

type Change = (bed: ToolBed) => Promise<void>
const changes: readonly (readonly [
  name: string,
  change: Change,
  platform: string | null,
  plugin: string | null,
])[] = [
  ['nothing', async () => {}, null, null],
  [
    'a push that names the tool no longer',
    (bed) => bed.push({ host_api: agent({ tools: ['do_it'] }), required_plugs: ['build'] }),
    'permission_denied',
    null,
  ],
  [
    'a push that declares the plugin no longer',
    (bed) => bed.push({ host_api: agent() }),
    null,
    'permission_denied',
  ],
  [
    'a push that lists other plugins',
    (bed) => bed.push({ host_api: { ...agent(), tools: ['stats'] }, required_plugs: ['build', 'stats'] }),
    null,
    'permission_denied',
  ],
  [
    'a push without the submode',
    (bed) => bed.push({ host_api: {}, required_plugs: ['build'] }),
    'permission_denied',
    'permission_denied',
  ],
  ['an install without the grant', (bed) => bed.install({}), 'permission_denied', null],
  ['an uninstall', (bed) => bed.uninstall(), 'not_found', 'not_found'],
  [
    'a closed window',
    (bed) => bed.services.windows.close('ada', bed.windowUuid, null),
    'not_found',
    'not_found',
  ],
  ['a window that is silent for a day', (bed) => changeWindow(bed), 'not_found', 'not_found'],
]

async function changeWindow({ services, windowUuid }: ToolBed): Promise<void> {
  const silent = services.clock.now() - limits.WINDOW_SILENT_CLOSE_MS
  await services.windows.change(windowUuid, (row) => ({ ...row, last_seen_at: silent }))
}

describe('between the list of tools and the call', () => {
  verifies.each('session.tools.anew')(changes)('%s', async (_name, change, platform, plugin) => {
    const bed = await open()
    const tools = await bed.tools(await bed.session())
    const call = (name: string) => tools.find((tool) => tool.name === name)?.call({}, never())
    await change(bed)
    expect(await call('time_now')).toEqual(
      platform === null ? { output: expect.any(Object) } : told(platform),
    )
    expect(await call(bed.build)).toEqual(plugin === null ? { output: expect.any(Object) } : told(plugin))
    expect(bed.calls).toHaveLength(plugin === null ? 1 : 0)
  })

  verifies('session.tools.anew', 'what is allowed again can be called again', async () => {
    const bed = await open()
    const session = await bed.session({ windowUuid: null })
    const tools = await bed.tools(session)
    const call = () => tools.find((tool) => tool.name === bed.build)?.call({}, never())
    await bed.push({ host_api: agent() })
    expect(await call()).toEqual(told('permission_denied'))
    await bed.push({ host_api: agent(), required_plugs: ['build'] })
    expect(await call()).toEqual({ output: { tool: 'all', args: {} } })
    await bed.uninstall()
    expect(await call()).toEqual(told('not_found'))
  })
})

describe('a call of a plugin', () => {
  verifies.each('session.tools.args')([[{}], [{ a: [1, null, { b: 'ü\u0000' }], tool_id: 7, '': true }]])(
    'forwards %j verbatim, with the times and the cap of a call that is waited for',
    async (args) => {
      const bed = await open()
      const session = await bed.session()
      expect(await bed.call(session, bed.build, args)).toEqual({ output: { tool: 'all', args } })
      await bed.call(session, bed.build.replace(/all$/, 'slow'), args)
      const now = bed.services.clock.now()
      expect(bed.calls.map(({ timeoutMs, deadlineMs }) => [timeoutMs, deadlineMs - now])).toEqual([
        [65_000, 65_000],
        [80_000, 80_000],
      ])
      expect(bed.calls[0]).toMatchObject({
        userId: 'ada',
        tool: 'all',
        args,
        graceMs: 2_000,
        maxResultBytes: MAX,
        invokeId: expect.stringMatching(/./),
      })
    },
  )

  verifies.each('session.tools.args')([[undefined], [null], ['text'], [[1]], [7]])(
    'with %j for arguments is invalid_arg',
    async (args) => {
      const bed = await open()
      const tools = await bed.tools(await bed.session())
      const answer = await tools.find(({ name }) => name === bed.build)?.call(args, never())
      expect(answer).toEqual(told('invalid_arg'))
      expect(bed.calls).toEqual([])
    },
  )

  verifies.each('session.tools.failure')([
    ['tool_failed', 'The tool reported a failure: no such city'],
    ['plug_error', 'The plugin answered with an error.'],
    ['plug_unavailable', 'no reply'],
    ['tool_timeout', 'too late'],
    ['result_too_large', 'too much'],
    ['agent_unavailable', 'no runner'],
  ] as const)('that ends with %s tells the model so', async (code, message) => {
    const bed = await open()
    bed.answer = async () => ({ ok: false, code, message })
    expect(await bed.call(await bed.session(), bed.build)).toEqual({ error: { code, message } })
  })

  verifies('session.tools.failure', 'that a broken runner throws at is internal_error', async () => {
    const bed = await open()
    bed.answer = () => Promise.reject(new Error('the disk of 10.0.0.7 is full'))
    const answer = await bed.call(await bed.session(), bed.build)
    expect(answer).toEqual(told('internal_error'))
    expect(JSON.stringify(answer)).not.toContain('disk')
  })
})

describe('a call of a platform tool', () => {
  verifies.each('session.tools.args')([
    [{}, 'key must be a string, got nothing'],
    [{ key: '' }, 'key must have at least 1 character, got ""'],
    [{ key: 'a', scope: 'all' }, 'scope must be one of "app", "shared", got "all"'],
    [undefined, 'args must be an object, got nothing'],
    ['text', 'args must be an object, got "text"'],
  ])('with %j for arguments is invalid_arg: %s', async (args, message) => {
    const bed = await openToolBed({ grants: { agent: { platform_tools: ['storage_get'] } } })
    const [tool] = await bed.tools(await bed.session())
    expect(await tool?.call(args, never())).toEqual({ error: { code: 'invalid_arg', message } })
  })

  verifies.each('host.config.platform_tools')([
    ['a map', { a: [new Map()] }],
    ['an object of a class', new (class Row {})()],
    ['a number without an end', [Number.NaN]],
  ])('that returns %s fails, and gives the model nothing in its place', async (_name, result) => {
    const bed = await open(() => result)
    expect(await bed.doIt()).toEqual(told('internal_error'))
  })

  verifies.each(['session.tools.cap', 'host.config.platform_tools'])([
    ['an object', { a: 1 }, { a: 1 }],
    ['nothing', undefined, {}],
    ['a list', [1], { value: [1] }],
    ['text', 'x', { value: 'x' }],
    ['a time', new Date(0), { value: '1970-01-01T00:00:00.000Z' }],
    ['a promise', Promise.resolve({ a: 1 }), { a: 1 }],
    ['text of the cap', 'x'.repeat(MAX - 2), { value: 'x'.repeat(MAX - 2) }],
  ])('that answers %s gives an object', async (_name, result, output) => {
    const bed = await open(() => result)
    expect(await bed.doIt()).toEqual({ output })
  })

  verifies.each('session.tools.cap')([
    ['x'.repeat(MAX - 1), MAX + 1],
    ['ü'.repeat(MAX / 2), MAX + 2],
  ])('over the cap is result_too_large', async (result, size) => {
    const bed = await open(() => result)
    expect(await bed.doIt()).toEqual({
      error: {
        code: 'result_too_large',
        message: `the result must be at most ${MAX} bytes of JSON, got ${size}`,
      },
    })
  })

  const endless = () => new Promise<never>(() => {})
  const failing: readonly (readonly [what: string, call: AddedPlatformTool['call'], code: string])[] = [
    ['throws', () => Promise.reject(new Error('secret')), 'internal_error'],
    [
      'throws at once',
      () => {
        throw new Error('secret')
      },
      'internal_error',
    ],
    ['answers what is not JSON', () => 1n, 'internal_error'],
    ['refuses', () => Promise.reject(refuse('not_found', 'no bell')), 'not_found'],
  ]
  verifies.each('session.tools.failure')(failing)('that %s is an error answer', async (_name, call, code) => {
    const answer = await (await open(call)).doIt()
    expect(answer).toEqual(told(code))
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  verifies('session.tools.abort', 'that never ends is given up in time, and its signal fires', async () => {
    let signal: AbortSignal | undefined
    const bed = await open((_args, caller) => {
      signal = caller.signal
      return endless()
    })
    const answer = bed.doIt()
    await expect.poll(() => signal?.aborted).toBe(false)
    await bed.services.clock.advance(64_999)
    expect(signal?.aborted).toBe(false)
    await bed.services.clock.advance(1)
    expect(await answer).toEqual(told('tool_timeout'))
    expect([signal?.aborted, bed.services.clock.timers]).toEqual([true, 0])
  })
})

describe('the end of a run', () => {
  const stopped = new Error('the run was cancelled')

  verifies.each('session.tools.abort')([['do_it'], ['plugin']])('ends a call of %s', async (which) => {
    let seen: AbortSignal | undefined
    const bed = await open((_args, { signal }) => {
      seen = signal
      return new Promise<never>(() => {})
    })
    bed.answer = ({ signal }) =>
      new Promise<CallOutcome>((end) => {
        seen = signal
        const cancelled = { ok: false, code: 'cancelled', message: 'cancelled' } as const
        signal?.addEventListener('abort', () => end(cancelled))
      })
    const run = new AbortController()
    const name = which === 'plugin' ? bed.build : which
    const answer = bed.call(await bed.session(), name, {}, run.signal)
    const settled = expect(answer).rejects.toBe(stopped)
    await expect.poll(() => seen?.aborted).toBe(false)
    run.abort(stopped)
    await settled
    expect([seen?.aborted, bed.services.clock.timers]).toEqual([true, 0])
  })

  verifies('session.tools.abort', 'lets no call begin', async () => {
    const bed = await open()
    const call = bed.call(await bed.session(), bed.build, {}, AbortSignal.abort(stopped))
    await expect(call).rejects.toBe(stopped)
    expect(bed.calls).toEqual([])
  })
})

test('a tool of the configuration hears for whom it is called', async () => {
  const callers: unknown[] = []
  const bed = await open((args, { userId, appId }) => {
    callers.push([args, userId, appId])
    return {}
  })
  await bed.call(await bed.session(), 'do_it', { a: 1 })
  expect(callers).toEqual([[{ a: 1 }, 'ada', bed.appId]])
})
