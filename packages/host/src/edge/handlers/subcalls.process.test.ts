import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits as defaults } from '@svc/contract'
import { createRunner, type Runner } from '@svc/runner'
import { memoryBlobs } from '@svc/state'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scriptedModel } from '../../testing/run-model.ts'

const fixtures = join(import.meta.dirname, '../../../../conformance/src/testing')
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(16)]).toString('base64')
const FILE = { bytes_b64: PNG, mime: 'image/png', purpose: 'chart' }
const TEXT = { mime: 'text/plain', purpose: 'note' }
const MESSAGES = [{ role: 'user', content: { type: 'text', text: 'hello' } }]
const MANIFEST = {
  required_plugs: ['asking', 'charts'],
  host_api: {
    agent: { session: { auto: true, fixed: { client_ids: [] } } },
    llm: ['complete'],
    upload: ['inline'],
  },
}

interface AskHost extends TestHost {
  readonly runner: Runner
  readonly window: TestWindow
  /** Calls a tool of the plugin that is made with `@svc/plugin`. */
  charts(method: string, args?: object): Promise<Record<string, unknown>>
  /** Has the plugin in plain Python ask; returns what it was told of each. */
  ask(requests: readonly object[], more?: object): Promise<Record<string, unknown>[]>
  /** Every line that the plugin in Python has read. */
  wire(): string
}

const opened: (() => Promise<void>)[] = []
const closeAll = async (closers: (() => Promise<void>)[]) => {
  for (const close of closers) await close()
}
afterEach(() => closeAll(opened.splice(0)))

/** For all that needs no model, limit or quota of its own. */
let plain: AskHost
let closePlain: typeof opened = []
beforeAll(async () => {
  plain = await openAskHost()
  closePlain = opened.splice(0)
})
afterAll(() => closeAll(closePlain))

/** Opens a host with both plugins in real processes. */
async function openAskHost(options: TestHostOptions = {}): Promise<AskHost> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-asking-'))
  const spy = join(folder, 'lines')
  const runner = createRunner({ limits: { ...defaults, ...options.limits } })
  const services = await openTestHost({
    runner,
    manifest: MANIFEST,
    grants: { upload_grant: true },
    plugins: [
      { slug: 'asking', command: ['python3', join(fixtures, 'asking-plugin.py')], env: { ASKING_SPY: spy } },
      { slug: 'charts', command: ['node', join(fixtures, 'asking-plugin.ts')] },
    ],
    ...options,
  })
  opened.push(async () => {
    await services.close()
    await runner.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await services.host.plugins.ready()
  const window = await services.openWindow()
  const invoke = async (tool_id: string, method: string, args: object) => {
    const answer = await window.call('tools', 'invoke', { tool_id, method, args })
    if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result
  }
  return {
    ...services,
    runner,
    window,
    charts: (method, args = {}) => invoke('charts', method, args),
    ask: async (requests, more = {}) =>
      (await invoke('asking', 'ask', { requests, ...more })).told as Record<string, unknown>[],
    wire: () => (existsSync(spy) ? readFileSync(spy, 'utf8') : ''),
  }
}

const named = (name: string) => ({
  error: expect.objectContaining({ data: expect.objectContaining({ name }) }),
})
const upload = (params: object) => ({ method: 'host/uploadFile', params })

describe('a plugin made with @svc/plugin', () => {
  verifies(
    ['plugin.session.create', 'plugin.session.run', 'plugin.session.buffered', 'plugin.session.complete'],
    'completes, talks and learns what it may not',
    async () => {
      const { charts } = plain
      expect(await charts('completes', { text: 'hello' })).toMatchObject({
        role: 'assistant',
        content: { type: 'text', text: expect.stringContaining('hello') },
      })
      const { info, frames, text, deleted, after } = await charts('talks')
      expect(info).toMatchObject({ kind: 'agent', submode: 'auto', label: 'Charts' })
      expect(JSON.stringify(info)).not.toContain('token')
      const said = (frames as { event: string; text: string }[]).map((frame) => frame.event)
      expect(new Set(said.slice(0, -1))).toEqual(new Set(['delta']))
      expect(said.at(-1)).toBe('final')
      expect(text).toContain('second')
      expect([deleted, after]).toEqual([{ deleted: true }, 'session_expired'])
      expect(await charts('oversteps')).toMatchObject({
        name: 'permission_denied',
        code: -32_000,
        data: { details: { denied_by: 'plugin', hint: expect.stringContaining('llm.agent.fixed') } },
      })
    },
  )

  verifies('stdio.upload', 'hands over files that anybody who knows their url can read', async () => {
    const { value } = await plain.charts('uploads')
    for (const { url } of value as { url: string }[]) {
      expect(url.startsWith(`${plain.origin}/api/v1/svc-apps/files/`)).toBe(true)
      const file = await plain.request(url.slice(plain.origin.length))
      expect(Buffer.from(await file.arrayBuffer()).toString('base64')).toBe(PNG)
    }
  })

  verifies(
    ['plugin.session.sampling_token', 'subcall.end'],
    'asks in a job too, until that is cancelled',
    async () => {
      const model = scriptedModel((talk) => talk.say('Half'))
      const { window } = await openAskHost({ models: { default: { model: model.model } } })
      const started = await window.call('tools', 'invokeAsync', { tool_id: 'charts', method: 'waits' })
      const jobId = started.ok && started.result.jobId
      await expect.poll(() => model.open().length).toBe(1)
      await window.call('tools', 'cancelJob', { jobId })
      await expect.poll(() => model.open().length).toBe(0)
      expect(await window.call('tools', 'getJob', { jobId })).toMatchObject({
        result: { state: 'cancelled' },
      })
    },
  )
})

describe('a plugin in plain Python', () => {
  verifies(
    ['plugin.session.create', 'plugin.session.run', 'plugin.session.complete', 'access.plugin.no_bearer'],
    'asks by hand, and reads no bearer on any line',
    async () => {
      const { ask, wire } = plain
      const app_session_uuid = '$LAST'
      const told = await ask([
        { method: 'llm/complete', params: { messages: MESSAGES, max_tokens: 100 } },
        { method: 'agent/session.create', params: { kind: 'agent', agent_submode: 'auto', label: 'Talk' } },
        { method: 'agent/session.run', params: { app_session_uuid, text: 'hello' } },
        { method: 'agent/session.cancel', params: { app_session_uuid } },
        upload(FILE),
        { method: 'agent/session.delete', params: { app_session_uuid } },
        { method: 'agent/session.run', params: { app_session_uuid, text: 'hello' } },
      ])
      expect(told).toEqual([
        { result: expect.objectContaining({ role: 'assistant' }) },
        { result: expect.objectContaining({ app_session_uuid: expect.stringMatching(/^aps_/) }) },
        { result: expect.objectContaining({ final: expect.objectContaining({ event: 'final' }) }) },
        { result: { cancelled: false } },
        { result: expect.objectContaining({ file_ref: expect.any(String) }) },
        { result: { deleted: true } },
        named('session_expired'),
      ])
      expect(wire()).toContain('"sampling_token":"smp_')
      // A token of ours begins as every JSON Web Token does, and has three parts.
      expect(wire()).not.toMatch(/eyJ|[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/)
    },
  )

  verifies('wall.upload.path', 'hands over a file of its folder, and none from elsewhere', async () => {
    const { ask } = plain
    const elsewhere = join(mkdtempSync(join(tmpdir(), 'svc-elsewhere-')), 'note')
    writeFileSync(elsewhere, 'of somebody else')
    const files = {
      note: 'hello',
      inside: { link: 'note' },
      outside: { link: elsewhere },
      folder: { link: '/etc' },
    }
    const told = await ask(
      [
        'note',
        '$FOLDER/note',
        'inside',
        elsewhere,
        '../../../etc/hostname',
        'outside',
        'folder/hostname',
        'none',
      ].map((path) => upload({ ...TEXT, path })),
      { files },
    )
    const kept = { result: { file_ref: expect.any(String), url: expect.any(String) } }
    expect(told).toEqual([kept, kept, kept, ...Array(5).fill(named('invalid_arg'))])
    rmSync(join(elsewhere, '..'), { recursive: true })
  })

  verifies(
    'subcall.token',
    'is refused without its token, with another, and with that of a call before',
    async () => {
      const { ask } = plain
      const complete = { method: 'llm/complete', params: { messages: MESSAGES, max_tokens: 10 } }
      expect(await ask([complete])).toEqual([{ result: expect.anything() }])
      const told = await ask([
        { ...complete, token: null },
        { ...complete, token: 'smp_x' },
        { ...complete, token: 'before' },
        complete,
      ])
      expect(told).toEqual([...Array(3).fill(named('invalid_token')), { result: expect.anything() }])
    },
  )

  verifies('subcall.count', 'has sixteen requests under way, and the seventeenth is refused', async () => {
    const model = scriptedModel((talk) => talk.say('Half'))
    const { ask, host } = await openAskHost({
      models: { default: { model: model.model } },
      limits: { CONCURRENT_RUNS_DEFAULT: 20 },
    })
    const run = { method: 'agent/session.run', params: { app_session_uuid: '$LAST', text: 'hi' } }
    await ask([{ method: 'agent/session.create', params: { agent_submode: 'auto' } }])
    const asking = ask(Array(17).fill(run), { one_by_one: false })
    await expect.poll(() => model.open().length).toBe(1)
    const [session] = await host.sessions.list('ada')
    await expect.poll(async () => (await host.sessions.list('ada'))[0]?.active_runs).toBe(16)
    await host.sessions.end('ada', session?.app_session_uuid ?? '')
    const told = await asking
    expect(told.filter((one) => 'error' in one)).toEqual([named('rate_limited')])
    expect(told[16]).toEqual(named('rate_limited'))
  })

  verifies('subcall.rights', 'is charged to the user and the app', async () => {
    const { ask } = await openAskHost({ quotas: { completions_per_day: 1 } })
    const complete = { method: 'llm/complete', params: { messages: MESSAGES, max_tokens: 10 } }
    expect(await ask([complete, complete])).toEqual([{ result: expect.anything() }, named('quota_exceeded')])
  })
})

describe('a host that takes too long', () => {
  /** Blobs that never have done with the file of these tests. */
  function slow() {
    const blobs = memoryBlobs()
    const isFile = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64') === PNG
    return {
      ...blobs,
      put: (bytes: Uint8Array) => (isFile(bytes) ? new Promise<never>(() => {}) : blobs.put(bytes)),
    }
  }

  verifies(
    ['error.subcall_timeout', 'subcall.deadline'],
    'for a file is subcall_timeout, of the request and of the tool that fails of it',
    async () => {
      const { ask, window } = await openAskHost({
        blobs: slow(),
        limits: { SUBCALL_TIMEOUT_MS: 50 },
      })
      expect(await ask([upload(FILE)])).toEqual([
        {
          error: {
            code: -32_000,
            message: 'the upload took more than 50 ms',
            data: { name: 'subcall_timeout', details: { subcall: 'upload' } },
          },
        },
      ])
      const expected = { ok: false, error: { code: 'subcall_timeout', details: { subcall: 'upload' } } }
      const requests = [upload(FILE)]
      const byHand = { tool_id: 'asking', method: 'ask', args: { requests, fails: true } }
      expect(await window.call('tools', 'invoke', byHand)).toMatchObject(expected)
      const made = { tool_id: 'charts', method: 'uploads' }
      expect(await window.call('tools', 'invoke', made)).toMatchObject(expected)
      const elsewhere = [{ method: 'agent/session.run', params: { app_session_uuid: 'aps_x', text: 'hi' } }]
      const other = { ...byHand, args: { requests: elsewhere, fails: true } }
      expect(await window.call('tools', 'invoke', other)).toMatchObject({ error: { code: 'plug_error' } })
    },
  )

  verifies('subcall.deadline', 'for a run ends it with the deadline of the call', async () => {
    const model = scriptedModel((talk) => talk.say('Half'))
    const { charts, window } = await openAskHost({ models: { default: { model: model.model } } })
    // What a process takes from its start to an answer to its first request: the deadline leaves room for ten of them.
    const began = performance.now()
    await charts('oversteps')
    const timeoutMs = 1_000 + Math.ceil(10 * (performance.now() - began))
    const call = { tool_id: 'charts', method: 'waits', timeoutMs }
    expect(await window.call('tools', 'invoke', call)).toMatchObject({ error: { code: 'tool_timeout' } })
    await expect.poll(() => model.open().length).toBe(0)
    expect(model.talks).toHaveLength(1)
  })
})

describe('a caller that goes away', () => {
  it('takes along what the plugin asked', async () => {
    const model = scriptedModel((talk) => talk.say('Half'))
    const { host, origin, window } = await openAskHost({ models: { default: { model: model.model } } })
    const leave = new AbortController()
    const args = { tool_id: 'charts', method: 'waits' }
    const calling = host.fetch(
      new Request(`${origin}/api/v1/svc-apps/runtime/rpc`, {
        method: 'POST',
        signal: leave.signal,
        headers: {
          'x-svc-app-token': window.token,
          cookie: window.cookie,
          host: '127.0.0.1:8787',
          origin,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          id: '1',
          window_uuid: window.windowUuid,
          ns: 'tools',
          method: 'invoke',
          args,
        }),
      }),
    )
    await expect.poll(() => model.open().length).toBe(1)
    leave.abort()
    await calling.catch(() => null)
    await expect.poll(() => model.open().length).toBe(0)
  })
})
