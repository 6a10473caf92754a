import { verifies } from '@svc/conformance/verifies'
import { type HostCapability, isSubcall, type SubcallMethod, subcalls } from '@svc/contract/stdio'
import { describe, expect, it } from 'vitest'
import { EVERYTHING, HOST_API, openAskBed, type SubcallResult } from '../../testing/asking.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(16)]).toString('base64')
const FILE = { bytes_b64: PNG, mime: 'image/png', purpose: 'chart' }
const MESSAGES = [{ role: 'user', content: { type: 'text', text: 'hello' } }]
const named = (name: string, details?: object) => ({
  error: {
    code: expect.any(Number),
    message: expect.stringMatching(/./),
    data: expect.objectContaining({ name, ...(details && { details: expect.objectContaining(details) }) }),
  },
})

/** Each kind of request with the capability that it takes; written down here, and not read off the table. */
const kinds: readonly (readonly [string, SubcallMethod, object, HostCapability])[] = [
  ['a completion', 'llm/complete', { messages: MESSAGES, max_tokens: 50 }, 'llm.sample'],
  ['a file', 'host/uploadFile', FILE, 'host.upload'],
  ['a session of completions', 'agent/session.create', { kind: 'complete' }, 'llm.sample'],
  ['an auto session', 'agent/session.create', { kind: 'agent', agent_submode: 'auto' }, 'llm.agent.auto'],
  [
    'a fixed session',
    'agent/session.create',
    { agent_submode: 'fixed', fixed_client_id: 'asks' },
    'llm.agent.fixed',
  ],
]
const modes: readonly (readonly [object, HostCapability])[] = [
  [{ kind: 'complete' }, 'llm.sample'],
  [{ agent_submode: 'auto' }, 'llm.agent.auto'],
  [{ agent_submode: 'fixed', fixed_client_id: 'asks' }, 'llm.agent.fixed'],
]

describe('the capabilities of a plugin', () => {
  verifies.each('manifest.plugin.host_capabilities')(kinds)(
    'let it have %s where it declares that one, and no other',
    async (_, method, params, needed) => {
      const bed = await openAskBed()
      for (const capability of EVERYTHING) {
        const told = await bed.ask(method, params, { capabilities: [capability] })
        if (capability === needed) expect(told).toEqual({ result: expect.anything() })
        else expect(told).toEqual(named('permission_denied', { denied_by: 'plugin' }))
      }
    },
  )

  verifies.each('manifest.plugin.host_capabilities')(modes)(
    'hold for the session %j as they did when it was made',
    async (order, needed) => {
      const bed = await openAskBed()
      for (const capability of EVERYTHING) {
        const app_session_uuid = await bed.session(order)
        const of = { capabilities: [capability] }
        const told = [
          await bed.ask('agent/session.run', { app_session_uuid, text: 'hi' }, of),
          await bed.ask('agent/session.cancel', { app_session_uuid }, of),
          await bed.ask('agent/session.delete', { app_session_uuid }, of),
        ]
        const expected =
          capability === needed
            ? { result: expect.anything() }
            : named('permission_denied', { denied_by: 'plugin' })
        expect(told).toEqual([expected, expected, expected])
      }
    },
  )

  verifies('plugin.session.sampling_token', 'are what a call has a token for, each its own', async () => {
    const bed = await openAskBed()
    const tokens = [
      await bed.within(({ token }) => token),
      await bed.within(({ token }) => token),
      await bed.within(({ token }) => token, { capabilities: [] }),
    ]
    expect(tokens).toEqual([expect.stringMatching(/^smp_/), expect.stringMatching(/^smp_/), null])
    expect(tokens[0]).not.toBe(tokens[1])
  })

  it('name no request beside the table', () => {
    expect(new Set(Object.keys(subcalls))).toEqual(
      new Set([
        ...kinds.map(([, method]) => method),
        'agent/session.run',
        'agent/session.cancel',
        'agent/session.delete',
      ]),
    )
    expect(['__proto__', 'toString', 'host/readFile', 5, null].filter(isSubcall)).toEqual([])
  })
})

describe('the app of a call', () => {
  const { agent: _agent, ...withoutAgent } = HOST_API
  const { llm: _llm, ...withoutLlm } = HOST_API
  const { upload: _upload, ...withoutUpload } = HOST_API
  const withSession = (session: object) => ({ ...HOST_API, agent: { session } })
  const granted = { upload_grant: true }

  verifies.each('subcall.rights')([
    ['no llm', withoutLlm, granted, ['a completion', 'a session of completions'], 'manifest'],
    ['no agent', withoutAgent, granted, ['an auto session', 'a fixed session'], 'manifest'],
    [
      'no auto',
      withSession({ auto: false, fixed: { client_ids: [] } }),
      granted,
      ['an auto session'],
      'manifest',
    ],
    ['no fixed', withSession({ auto: true, fixed: null }), granted, ['a fixed session'], 'manifest'],
    [
      'another fixed client',
      withSession({ auto: true, fixed: { client_ids: ['other'] } }),
      granted,
      ['a fixed session'],
      'manifest',
    ],
    ['no upload', withoutUpload, granted, ['a file'], 'manifest'],
    ['no grant of uploads', HOST_API, {}, ['a file'], 'grant'],
  ])('with %s has plugins that may not either', async (_, host_api, grants, denied, denied_by) => {
    const bed = await openAskBed({ host_api, grants })
    for (const [kind, method, params] of kinds) {
      const told = await bed.ask(method, params)
      if (denied.includes(kind))
        expect([kind, told]).toEqual([kind, named('permission_denied', { denied_by })])
      else expect([kind, told]).toEqual([kind, { result: expect.anything() }])
    }
  })

  verifies('subcall.rights', 'is asked anew each time: a push and an uninstall count at once', async () => {
    const bed = await openAskBed()
    const app_session_uuid = await bed.session()
    await bed.within(async ({ ask }) => {
      const run = () => ask('agent/session.run', { app_session_uuid, text: 'hi' })
      expect(await run()).toHaveProperty('result')
      await bed.push(withoutAgent)
      expect(await run()).toEqual(named('permission_denied', { denied_by: 'manifest' }))
      await bed.push(withSession({ auto: false, fixed: { client_ids: [] } }))
      expect(await run()).toEqual(named('permission_denied', { denied_by: 'manifest' }))
      await bed.push(HOST_API)
      expect(await run()).toHaveProperty('result')
      await bed.uninstall()
      expect(await ask('llm/complete', { messages: MESSAGES })).toEqual(named('not_found'))
    })
  })
})

describe('a request', () => {
  verifies(
    ['plugin.session.create', 'plugin.session.cached'],
    'makes a session without a token',
    async () => {
      const bed = await openAskBed()
      const { result } = await bed.ask('agent/session.create', {
        agent_submode: 'auto',
        label: 'Talk',
        system_prompt: 'Be brief.',
        fixed_client_id: null,
      })
      expect(result).toMatchObject({
        app_session_uuid: expect.stringMatching(/^aps_/),
        kind: 'agent',
        submode: 'auto',
        fixed_client_id: null,
        label: 'Talk',
        system_prompt: 'Be brief.',
      })
      expect(JSON.stringify(result)).not.toMatch(/eyJ|token/)
      const record = await bed.services.sessions.find(
        { userId: 'ada', appId: bed.appId },
        result.app_session_uuid,
      )
      expect(record?.row).toMatchObject({
        plugin_id: (await bed.services.plugins.find({ userId: 'ada', version: null }, 'asks'))?.tool_id,
        window_uuid: bed.windowUuid,
      })
    },
  )

  verifies(
    ['plugin.session.buffered', 'stream.plugin', 'plugin.session.run'],
    'runs a session to its end',
    async () => {
      const bed = await openAskBed()
      const app_session_uuid = await bed.session()
      const { result } = await bed.ask('agent/session.run', { app_session_uuid, text: 'hi' })
      const final = {
        event: 'final',
        text: 'Hello there',
        usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
      }
      expect(result).toEqual({
        run_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        stream_id: expect.stringMatching(/^strm_/),
        frames: [{ event: 'delta', text: 'Hello' }, { event: 'delta', text: ' there' }, final],
        final,
      })
    },
  )

  verifies('plugin.session.complete', 'completes as a bundle does', async () => {
    const bed = await openAskBed()
    expect(await bed.ask('llm/complete', { messages: MESSAGES, max_tokens: 50 })).toEqual({
      result: {
        role: 'assistant',
        content: { type: 'text', text: 'Hello there' },
        model: 'test-1',
        stopReason: 'endTurn',
        usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 },
      },
    })
  })

  verifies('stdio.upload', 'keeps a file for the user and app of the call', async () => {
    const bed = await openAskBed()
    const { result } = await bed.ask('host/uploadFile', FILE)
    const url = `http://127.0.0.1:8787/api/v1/svc-apps/files/${result.file_ref}`
    expect(result).toEqual({ file_ref: expect.stringMatching(/^file_/), url })
  })

  it('that came too late leaves no file', async () => {
    const bed = await openAskBed({ limits: { FILES_PER_APP: 1 } })
    const over = AbortSignal.abort()
    await bed.within(({ ask }) => ask('host/uploadFile', FILE, over))
    expect(await bed.ask('host/uploadFile', FILE)).toHaveProperty('result')
    expect(await bed.ask('host/uploadFile', FILE)).toEqual(named('quota_exceeded', { max: 1 }))
  })

  verifies.each('subcall.refusal')([
    ['llm/complete', {}],
    ['llm/complete', { messages: [] }],
    ['llm/complete', { messages: MESSAGES, max_tokens: 0 }],
    ['llm/complete', { messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }],
    ['host/uploadFile', { ...FILE, mime: 'text/html' }],
    ['host/uploadFile', { ...FILE, mime: 'image/jpeg' }],
    ['host/uploadFile', { ...FILE, bytes_b64: '!' }],
    ['host/uploadFile', { ...FILE, bytes_b64: '' }],
    ['host/uploadFile', { ...FILE, filename: '../x' }],
    ['host/uploadFile', { mime: 'image/png', purpose: 'chart' }],
    ['agent/session.create', {}],
    ['agent/session.create', { agent_submode: 'both' }],
    ['agent/session.create', { kind: 'agent', agent_submode: null }],
    ['agent/session.create', { agent_submode: 'fixed' }],
    ['agent/session.create', { kind: 'other' }],
    ['agent/session.run', { text: 'hi' }],
    ['agent/session.run', { app_session_uuid: 'x', text: 'hi' }],
    ['agent/session.cancel', { app_session_uuid: 5 }],
    ['agent/session.delete', {}],
  ] as const)('%s with %j is refused', async (method, params) => {
    const bed = await openAskBed()
    expect(await bed.ask(method, params)).toEqual(named('invalid_arg'))
  })

  it.each([
    [{ text: '' }],
    [{ text: ' \u200b ' }],
    [{ text: 'hi', run_id: 'x' }],
    [{ text: 'hi', attachments: [{}] }],
  ])('agent/session.run with %j is refused', async (params) => {
    const bed = await openAskBed()
    const app_session_uuid = await bed.session()
    expect(await bed.ask('agent/session.run', { app_session_uuid, ...params })).toEqual(named('invalid_arg'))
  })

  it('with a prompt that is not one carries the name of the session error', async () => {
    const bed = await openAskBed()
    const told = await bed.ask('agent/session.create', {
      agent_submode: 'auto',
      system_prompt: '<|im_start|>',
    })
    expect(told).toEqual(named('APP_INVALID_REQUEST', { http_status: 400 }))
  })

  it('that breaks says nothing of how', async () => {
    const bed = await openAskBed()
    Object.assign(bed.services.sessions, { create: () => Promise.reject(new Error('secret')) })
    const told: SubcallResult = await bed.ask('agent/session.create', { agent_submode: 'auto' })
    expect(told).toEqual(named('internal_error'))
    expect(JSON.stringify(told)).not.toContain('secret')
  })
})
