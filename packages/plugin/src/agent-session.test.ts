import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { AgentSessionClient } from './agent-session.ts'
import { answerer } from './answer.ts'
import type { CallClock, Context } from './context.ts'
import { HostError } from './host-error.ts'
import { tool } from './tool.ts'

type Fields = Record<string, unknown>

const TOKEN = 'smp_1'
const INFO = { app_session_uuid: 'aps_1', kind: 'agent', submode: 'auto', label: 'Talk' }
const FINAL = { event: 'final', text: 'Hi there' }
const RUN = {
  run_id: 'r',
  stream_id: 'strm_1',
  frames: [{ event: 'delta', text: 'Hi ' }, { event: 'delta', text: 'there' }, FINAL],
  final: FINAL,
}

/** A client over no process: its lines are kept, and answered by hand. */
function openClient(samplingToken: string | undefined = TOKEN) {
  const lines: { id: string; method: string; params: Fields }[] = []
  const client = new AgentSessionClient({ samplingToken, send: (line) => lines.push(JSON.parse(line)) })
  /** Answers the last request. */
  const answer = (reply: Fields) => client.dispatchResponse({ id: lines.at(-1)?.id, ...reply })
  return { client, lines, answer }
}

/** What a promise was rejected with. */
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the client', () => {
  verifies.each(['plugin.session.create', 'plugin.session.run', 'plugin.session.complete', 'stdio.upload'])([
    [
      'create',
      (client: AgentSessionClient) => client.create({ agentSubmode: 'auto', label: 'Talk' }),
      'agent/session.create',
      { kind: 'agent', agent_submode: 'auto', label: 'Talk' },
    ],
    [
      'create by the names in snake case',
      (client: AgentSessionClient) =>
        client.create({ kind: 'agent', agent_submode: 'fixed', fixedClientId: 't' }),
      'agent/session.create',
      { kind: 'agent', agent_submode: 'fixed', fixed_client_id: 't' },
    ],
    [
      'run',
      (client: AgentSessionClient) =>
        client.session('aps_1').run('hello', [{ type: 'image/png', data: 'aa==' }]),
      'agent/session.run',
      {
        app_session_uuid: 'aps_1',
        text: 'hello',
        attachments: [{ type: 'image/png', data: 'aa==' }],
        run_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ],
    [
      'cancel of all',
      (client: AgentSessionClient) => client.session('aps_1').cancel(),
      'agent/session.cancel',
      { app_session_uuid: 'aps_1' },
    ],
    [
      'delete',
      (client: AgentSessionClient) => client.session('aps_1').delete(),
      'agent/session.delete',
      { app_session_uuid: 'aps_1' },
    ],
    [
      'complete',
      (client: AgentSessionClient) =>
        client.complete([{ role: 'user', content: { type: 'text', text: 'x' } }], 5),
      'llm/complete',
      { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], max_tokens: 5 },
    ],
    [
      'uploadFile of bytes',
      (client: AgentSessionClient) =>
        client.uploadFile({
          bytes: new Uint8Array([1, 2]),
          mime: 'image/png',
          purpose: 'chart',
          filename: 'c.png',
        }),
      'host/uploadFile',
      { bytes_b64: 'AQI=', mime: 'image/png', purpose: 'chart', filename: 'c.png' },
    ],
    [
      'uploadFile of a path',
      (client: AgentSessionClient) =>
        client.uploadFile({ path: 'c.png', mime: 'image/png', purpose: 'chart' }),
      'host/uploadFile',
      { path: 'c.png', mime: 'image/png', purpose: 'chart' },
    ],
  ])('%s', (_, call, method, params) => {
    const { client, lines } = openClient()
    call(client)
    expect(lines).toEqual([
      { jsonrpc: '2.0', id: expect.any(String), method, params: { ...params, sampling_token: TOKEN } },
    ])
    client.close('over')
  })

  verifies(
    ['plugin.session.buffered', 'stream.plugin'],
    'gives the frames of a run, and the last one',
    async () => {
      const { client, answer } = openClient()
      const making = client.create({ label: 'Talk' })
      answer({ result: INFO })
      const session = await making
      expect(session).toMatchObject({ appSessionUuid: 'aps_1', info: INFO })
      const run = session.run('hello')
      answer({ result: RUN })
      const frames: unknown[] = []
      for await (const frame of run) frames.push(frame)
      expect(frames).toEqual(RUN.frames)
      expect(await run.final()).toEqual(FINAL)
    },
  )

  verifies(
    'plugin.session.dispatch',
    'takes the answers to its own requests, by either name, once',
    async () => {
      const { client, lines } = openClient()
      const [a, b] = [client.session('aps_1').cancel(), client.session('aps_1').delete()]
      const [first, second] = lines
      expect(client.dispatchResponse({ id: 'other', result: {} })).toBe(false)
      expect(client.dispatchResponse({ result: {} })).toBe(false)
      expect(client.dispatch_response({ id: second?.id, result: { deleted: true } })).toBe(true)
      expect(client.dispatchResponse({ id: first?.id, result: { cancelled: false } })).toBe(true)
      expect(client.dispatchResponse({ id: first?.id, result: { cancelled: true } })).toBe(false)
      expect([await a, await b]).toEqual([{ cancelled: false }, { deleted: true }])
    },
  )

  it.each([
    [
      'a name with a number',
      { code: -32_017, message: 'gone', data: { name: 'APP_SESSION_EXPIRED', details: { a: 1 } } },
      { name: 'APP_SESSION_EXPIRED', code: -32_017, message: 'gone' },
    ],
    [
      'a name without',
      { code: -32_000, message: 'no', data: { name: 'permission_denied' } },
      { name: 'permission_denied', code: -32_000 },
    ],
    ['no name', { code: -32_601, message: 'none' }, { name: 'internal_error', code: -32_601 }],
    ['nothing', {}, { name: 'internal_error', code: -32_000 }],
  ])('throws the error of the host: %s', async (_, error, expected) => {
    const { client, answer } = openClient()
    const asking = client.session('aps_1').delete()
    answer({ error })
    const thrown = await failure(asking)
    expect(thrown).toBeInstanceOf(HostError)
    expect(thrown).toMatchObject(expected)
    if ('data' in error) expect((thrown as HostError).data).toEqual(error.data)
  })

  it('asks nothing without a token, and says what is missing', async () => {
    const lines: string[] = []
    const client = new AgentSessionClient({ samplingToken: undefined, send: (line) => lines.push(line) })
    expect(await failure(client.complete([]))).toMatchObject({
      name: 'permission_denied',
      data: { details: { hint: expect.stringContaining('hostCapabilities') } },
    })
    expect(lines).toEqual([])
  })

  it('settles all that waits when it is closed, and what is asked later', async () => {
    const { client, lines } = openClient()
    const run = client.session('aps_1').run('hello')
    const asked = [client.create(), client.complete([]), run.final()].map(failure)
    client.close('first')
    client.close('second')
    expect(await Promise.all(asked)).toEqual(['first', 'first', 'first'])
    expect(await failure(client.create())).toBe('first')
    await expect(async () => {
      for await (const _ of run);
    }).rejects.toBe('first')
    expect(lines).toHaveLength(3)
  })

  it('rejects what JSON cannot hold', async () => {
    const { client } = openClient()
    expect(await failure(client.complete([1n as never]))).toBeInstanceOf(TypeError)
  })
})

/** A plugin on no stream, with a tool that does what the test says. */
function openPlugin(run: (ctx: Context) => unknown) {
  const timers = new Set<() => void>()
  let time = 0
  const clock: CallClock = {
    now: () => time,
    setTimer(fn) {
      timers.add(fn)
      return () => void timers.delete(fn)
    },
  }
  const out: Fields[] = []
  const waits: ((message: Fields) => void)[] = []
  const write = (line: string) => {
    const message = JSON.parse(line)
    out.push(message)
    for (const wait of waits.splice(0)) wait(message)
  }
  const plugged = answerer(
    {
      name: 'bed',
      hostCapabilities: ['llm.sample', 'host.upload'],
      tools: { it: tool({ run: (_, ctx) => run(ctx) }) },
    },
    { write, tell: () => true, clock, log() {} },
  )
  return {
    /** The time comes that every timer waits for. */
    lapse() {
      time = Number.MAX_SAFE_INTEGER
      for (const fire of [...timers]) fire()
    },
    out,
    plugged,
    take: (message: Fields) => plugged.take(JSON.stringify({ jsonrpc: '2.0', ...message })),
    call(id: unknown, params: Fields = {}) {
      const context = { invoke_id: 'inv_1', sampling_token: TOKEN }
      this.take({ id, method: 'call', params: { name: 'it', args: {}, context, ...params } })
    },
    /** The message that is written next. */
    next: () => new Promise<Fields>((resolve) => waits.push(resolve)),
  }
}

const named = (name: string) => ({ code: -32_000, message: 'no', data: { name } })

describe('a tool', () => {
  verifies('manifest.plugin.host_capabilities', 'says in describe what it asks of the host', () => {
    const { out, take } = openPlugin(() => null)
    take({ id: 1, method: 'describe' })
    expect(out[0]?.result).toMatchObject({ host_capabilities: ['llm.sample', 'host.upload'] })
  })

  it('asks and is answered while it runs', async () => {
    const { out, call, take, next } = openPlugin(async ({ uploadFile, samplingToken }) => [
      samplingToken,
      await uploadFile({ bytes: new Uint8Array(1), mime: 'image/png', purpose: 'x' }),
    ])
    call.call({ take }, 'c')
    const answered = next()
    take({ id: out[0]?.id, result: { file_ref: 'f', url: 'u' } })
    expect(await answered).toMatchObject({
      id: 'c',
      result: { output: [TOKEN, { file_ref: 'f', url: 'u' }] },
    })
  })

  verifies.each('error.subcall_timeout')([
    ['subcall_timeout', { error: { code: -32_000, data: { name: 'subcall_timeout' } } }],
    ['tool_timeout', { error: { code: -32_000, data: { name: 'tool_timeout' } } }],
    ['permission_denied', { result: { success: false, error: 'no' } }],
  ])('that fails of %s carries on what the host has to know', async (name, reply) => {
    const { out, call, take, next } = openPlugin(({ session }) => session.complete([]))
    call.call({ take }, 'c')
    const answered = next()
    take({ id: out[0]?.id, error: named(name) })
    expect(await answered).toMatchObject({ id: 'c', ...reply })
  })

  it.each([
    [
      'is cancelled',
      'stop',
      (bed: ReturnType<typeof openPlugin>) =>
        bed.take({ method: 'cancel', params: { id: 'c', reason: 'stop' } }),
    ],
    ['loses its host', 'the host is gone', (bed: ReturnType<typeof openPlugin>) => bed.plugged.cutOff()],
  ])('that %s waits for no answer', async (_, error, happen) => {
    const bed = openPlugin(async ({ session }) => {
      const rest = session.complete([])
      return await rest
    })
    bed.call('c')
    const answered = bed.next()
    happen(bed)
    expect(await answered).toMatchObject({ id: 'c', result: { success: false, error } })
  })

  it('that ends leaves nothing waiting', async () => {
    let left: Promise<unknown> = Promise.resolve()
    let late: (() => Promise<unknown>) | undefined
    const bed = openPlugin(({ session }) => {
      left = failure(session.complete([]))
      late = () => session.complete([])
      return 'done'
    })
    bed.call('c')
    expect(bed.out.at(-1)).toMatchObject({ id: 'c', result: { output: 'done' } })
    expect(await left).toMatchObject({ name: 'cancelled' })
    expect(await failure(late?.() ?? left)).toMatchObject({ name: 'cancelled' })
    bed.take({ id: bed.out[0]?.id, result: {} })
    expect(bed.out).toHaveLength(2)
  })

  it('whose deadline passes stops because of it', async () => {
    const bed = openPlugin(({ session }) => session.complete([]))
    bed.call('c', { deadline_ms: 20 })
    expect(bed.out).toHaveLength(1)
    const told = bed.next()
    bed.lapse()
    expect(await told).toMatchObject({ id: 'c', error: { data: { name: 'tool_timeout' } } })
  })

  it('gets the answer of its own call where several run', async () => {
    const bed = openPlugin(async ({ session }) => (await session.session('aps_1').delete()).deleted)
    bed.call('a')
    bed.call('b')
    const [first, second] = bed.out
    const answers = [bed.next()]
    bed.take({ id: second?.id, result: { deleted: 'b' } })
    await answers[0]
    const last = bed.next()
    bed.take({ id: first?.id, result: { deleted: 'a' } })
    await last
    expect(bed.out.slice(2)).toMatchObject([
      { id: 'b', result: { output: 'b' } },
      { id: 'a', result: { output: 'a' } },
    ])
  })
})
