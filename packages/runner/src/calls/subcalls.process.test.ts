import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits as defaults, type Limits } from '@svc/contract/limits'
import { frozenClock } from '@svc/node/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { openLongLines } from '../lines/long-line.ts'
import type { SubcallReply } from '../port/runner.ts'
import { openBed } from '../testing/bed.ts'
import type { Answer } from './answer.ts'
import { failedSubcall, openSubcalls } from './subcalls.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-subcalls-'))
writeFileSync(join(folder, 'chart'), 'bytes')
const bed = openBed()
afterAll(async () => {
  await bed.runner.close()
  rmSync(folder, { recursive: true, force: true })
})

const TOKEN = 'smp_1'

/** One request as the host gets it. */
interface Asked {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  answer(reply: SubcallReply): void
}

/** A gate whose requests a test answers, with what the plugin reads. */
function openGate(more: Partial<Limits> = {}) {
  const clock = frozenClock()
  const limits = { ...defaults, ...more }
  const asked: Asked[] = []
  const read: Record<string, unknown>[] = []
  /** Calls that tell the gate of an answer that the plugin has read. */
  const taken: (() => void)[] = []
  const gate = openSubcalls(
    {
      samplingToken: TOKEN,
      onRequest: (method, params, signal) =>
        new Promise((answer) => void asked.push({ method, params, signal, answer })),
    },
    { clock, limits, deadlineMs: clock.now() + 60_000, folder },
  )
  const reply = (line: string, onTaken?: () => void) => {
    read.push(JSON.parse(line))
    if (onTaken) taken.push(onTaken)
  }
  const take = (id: unknown, method: string, params: object = {}) =>
    gate.take({ id, method, params: { sampling_token: TOKEN, ...params } }, reply)
  return { clock, gate, asked, read, taken, reply, take }
}

/** Lets the promises settle that can. */
const settled = () => new Promise((done) => setImmediate(done))
const named = (id: unknown, name: string, details?: object) => ({
  jsonrpc: '2.0',
  id,
  error: {
    code: -32_000,
    message: expect.stringMatching(/./),
    data: { name, ...(details && { details: expect.objectContaining(details) }) },
  },
})

describe('a request', () => {
  it('goes to the host without its token, and its answer to the plugin with its id', async () => {
    const { asked, read, take } = openGate()
    take('a', 'llm/complete', { messages: [], max_tokens: 5 })
    take(7, 'agent/session.delete', { app_session_uuid: 'aps_1' })
    await settled()
    expect(asked.map(({ method, params }) => [method, params])).toEqual([
      ['llm/complete', { messages: [], max_tokens: 5 }],
      ['agent/session.delete', { app_session_uuid: 'aps_1' }],
    ])
    asked[1]?.answer({ error: { code: -32_017, message: 'gone', data: { name: 'APP_SESSION_EXPIRED' } } })
    asked[0]?.answer({ result: { text: 'hi' } })
    await settled()
    expect(read).toEqual([
      {
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32_017, message: 'gone', data: { name: 'APP_SESSION_EXPIRED' } },
      },
      { jsonrpc: '2.0', id: 'a', result: { text: 'hi' } },
    ])
  })

  verifies.each(['subcall.token', 'subcall.refusal'])([
    ['none', undefined],
    ['a wrong one', 'smp_2'],
    ['a longer one', 'smp_11'],
    ['one that is not text', 1],
    ['a list that reads like it', ['smp_1']],
  ])('is refused with %s for its token', (_, sampling_token) => {
    const { asked, read, take } = openGate()
    take('a', 'llm/complete', { sampling_token })
    expect([asked, read]).toEqual([[], [named('a', 'invalid_token')]])
  })

  it.each([
    ['an unknown method', 'a', 'host/readFile', { code: -32_601 }],
    ['a name of an object', 'a', 'constructor', { code: -32_601 }],
    ['an id that is none', { a: 1 }, 'llm/complete', { data: { name: 'invalid_arg' } }],
  ])('is refused with %s', (_, id, method, error) => {
    const { asked, read, take } = openGate()
    take(id, method)
    expect(asked).toEqual([])
    expect(read).toMatchObject([{ id: typeof id === 'string' ? id : null, error }])
  })

  verifies(
    'subcall.count',
    'takes its place until the plugin has read the answer; the 17th is refused',
    async () => {
      const { asked, read, taken, take } = openGate()
      for (let id = 1; id <= 17; id++) take(id, 'llm/complete')
      await settled()
      expect(asked).toHaveLength(16)
      expect(read).toEqual([named(17, 'rate_limited', { retriable: true })])
      asked[0]?.answer({ result: {} })
      await settled()
      take(18, 'llm/complete')
      taken[0]?.()
      take(19, 'llm/complete')
      await settled()
      expect(read.slice(1)).toMatchObject([{ id: 1 }, named(18, 'rate_limited')])
      expect(asked).toHaveLength(17)
    },
  )

  verifies.each('subcall.cap')([
    ['exactly the cap', 100, undefined],
    ['one byte more', 101, 'result_too_large'],
  ])('is answered with %s', async (_, bytes, name) => {
    const { asked, read, take } = openGate({ SUBCALL_ANSWER_MAX_BYTES: 100 })
    take('a', 'llm/complete')
    await settled()
    const bare = JSON.stringify({ jsonrpc: '2.0', id: 'a', result: '' }).length
    asked[0]?.answer({ result: 'x'.repeat(bytes - bare) })
    await settled()
    expect(read[0]).toMatchObject(name ? named('a', name, { size: bytes, max: 100 }) : { id: 'a' })
    expect('error' in (read[0] ?? {})).toBe(name !== undefined)
  })

  it('whose host breaks is answered all the same', async () => {
    const { clock, read, reply } = openGate()
    const gate = openSubcalls(
      { samplingToken: TOKEN, onRequest: () => Promise.reject(new Error('secret')) },
      { clock, limits: defaults, deadlineMs: clock.now() + 1_000, folder },
    )
    gate.take({ id: 1, method: 'llm/complete', params: { sampling_token: TOKEN } }, reply)
    await settled()
    expect(read).toEqual([named(1, 'internal_error')])
    expect(JSON.stringify(read)).not.toContain('secret')
    expect(clock.timers).toBe(0)
  })
})

describe('the time of a request', () => {
  verifies(
    ['error.subcall_timeout', 'subcall.deadline'],
    'of an upload is its own, and the gate remembers its end',
    async () => {
      const { clock, gate, asked, read, take } = openGate()
      take('up', 'host/uploadFile', { bytes_b64: 'aa==' })
      take('say', 'llm/complete')
      await settled()
      await clock.advance(29_999)
      expect([read, gate.timedOut()]).toEqual([[], undefined])
      await clock.advance(1)
      expect(read).toEqual([named('up', 'subcall_timeout', { subcall: 'upload' })])
      expect(gate.timedOut()).toBe('upload')
      const upload = asked.find(({ method }) => method === 'host/uploadFile')
      expect(asked.filter(({ signal }) => signal.aborted)).toEqual([upload])
      upload?.answer({ result: {} })
      await settled()
      expect(read).toHaveLength(1)
    },
  )

  verifies('subcall.deadline', 'ends with the deadline of the call, and later ones are refused', async () => {
    const { clock, gate, asked, read, take } = openGate()
    take('say', 'llm/complete')
    await settled()
    await clock.advance(40_000)
    take('up', 'host/uploadFile', { bytes_b64: 'aa==' })
    await settled()
    await clock.advance(20_000)
    expect(read).toEqual([named('say', 'tool_timeout'), named('up', 'tool_timeout')])
    expect(asked.every(({ signal }) => signal.aborted)).toBe(true)
    take('late', 'llm/complete')
    expect(read[2]).toEqual(named('late', 'tool_timeout'))
    expect([gate.timedOut(), clock.timers, asked.length]).toEqual([undefined, 0, 2])
  })

  verifies('subcall.end', 'ends with the call: it is aborted and answered, once', async () => {
    const { clock, gate, asked, read, take } = openGate()
    take('a', 'llm/complete')
    take('b', 'host/uploadFile', { path: 'chart' })
    gate.close()
    gate.close()
    await settled()
    expect(read).toEqual([named('a', 'cancelled'), named('b', 'cancelled')])
    expect(asked[0]?.signal.aborted).toBe(true)
    asked[0]?.answer({ result: {} })
    await settled()
    expect([read.length, clock.timers]).toEqual([2, 0])
  })
})

describe('a file', () => {
  verifies('stdio.upload', 'that is named by its path reaches the host as bytes', async () => {
    const { asked, take } = openGate()
    take('a', 'host/uploadFile', { path: 'chart', mime: 'text/plain', purpose: 'chart' })
    await expect.poll(() => asked.length).toBe(1)
    const bytes_b64 = Buffer.from('bytes').toString('base64')
    expect(asked[0]?.params).toEqual({ bytes_b64, mime: 'text/plain', purpose: 'chart' })
  })

  verifies.each('wall.upload.path')([
    ['a path outside', { path: '../x' }],
    ['a path that is not text', { path: 5 }],
    ['no path', { path: '' }],
    ['both', { path: 'chart', bytes_b64: 'aa==' }],
  ])('with %s reaches nobody', async (_, params) => {
    const { asked, read, take } = openGate()
    take('a', 'host/uploadFile', params)
    await expect.poll(() => read.length).toBe(1)
    expect([asked, read]).toEqual([
      [],
      [expect.objectContaining({ error: expect.objectContaining({ data: expect.anything() }) })],
    ])
    expect(read[0]).toMatchObject({ error: { data: { name: 'invalid_arg' } } })
  })
})

describe('a long request', () => {
  const line = (params: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 'a',
      method: 'host/uploadFile',
      params: { sampling_token: TOKEN, ...params },
    })
  const head = { id: 'a', method: 'host/uploadFile' }
  const longOf = (text: string, length: number) => {
    const bytes = Buffer.from(text)
    const lines = openLongLines(defaults)
    lines.push(bytes)
    return lines.end([bytes], length)
  }

  verifies('subcall.cap', 'is taken where it is whole and within its cap', async () => {
    const text = line({ bytes_b64: 'x'.repeat(100_000) })
    const { gate, asked, reply } = openGate({ SUBCALL_LINE_MAX_BYTES: text.length })
    gate.takeLong(head, longOf(text, text.length), text.length, reply)
    await expect.poll(() => asked.length).toBe(1)
    expect(asked[0]?.params.bytes_b64).toHaveLength(100_000)
  })

  verifies(
    'subcall.cap',
    'has a place while it is read, and is answered where the call ends before',
    async () => {
      const text = line({ bytes_b64: 'x'.repeat(100_000) })
      const { gate, asked, read, reply } = openGate({ SUBCALLS_PER_CALL: 1 })
      gate.takeLong(head, longOf(text, text.length), text.length, reply)
      gate.takeLong(head, longOf(text, text.length), text.length, reply)
      expect(read).toEqual([named('a', 'rate_limited', { retriable: true })])
      gate.close()
      await settled()
      expect([asked, read.slice(1)]).toEqual([[], [named('a', 'cancelled')]])
    },
  )

  verifies.each('subcall.cap')([
    ['over its cap', (text: string) => [text, text.length] as const, 100, /at most 100 bytes/],
    ['cut', (text: string) => [text.slice(0, 50), text.length] as const, 1_000_000, /bytes, got/],
    [
      'too deep',
      (text: string) => {
        const deep = text.replace('"x"', '['.repeat(1_001) + ']'.repeat(1_001))
        return [deep, deep.length] as const
      },
      1_000_000,
      /levels deep/,
    ],
    [
      'too rich',
      (text: string) => {
        const rich = text.replace('"x"', `[${'1,'.repeat(50)}1]`)
        return [rich, rich.length] as const
      },
      1_000_000,
      /at most 50 values and names/,
    ],
  ])('is refused unread where it is %s', (_, make, SUBCALL_LINE_MAX_BYTES, message) => {
    const { gate, asked, read, reply } = openGate({ SUBCALL_LINE_MAX_BYTES, SUBCALL_VALUES_MAX: 50 })
    const [text, length] = make(line({ bytes_b64: 'x', more: 'x'.repeat(200) }))
    gate.takeLong(head, longOf(text, length), length, reply)
    expect(asked).toEqual([])
    expect(read).toEqual([
      {
        ...named('a', 'invalid_arg', { hint: 'A file may be given by path.' }),
        error: expect.objectContaining({ message: expect.stringMatching(message) }),
      },
    ])
  })
})

describe('a tool that fails of a request that took too long', () => {
  const replyOf = (fields: object): Answer => {
    const message = { id: '1', ...fields }
    return { kind: 'reply', message, line: Buffer.from(JSON.stringify(message)) }
  }
  const told = (data: unknown) => replyOf({ error: { code: 1, data } })
  const lapse = { name: 'subcall_timeout' }
  verifies.each('error.subcall_timeout')([
    ['says so', told(lapse), 'upload', 'subcall_timeout'],
    ['makes it up', told(lapse), undefined, undefined],
    ['fails of something else', told({ name: 'not_found' }), 'upload', undefined],
    ['answers all the same', replyOf({ result: {} }), 'upload', undefined],
    ['is too late itself', { kind: 'late' } as Answer, 'upload', undefined],
  ])('%s', (_, answer, timedOut, code) => {
    const failed = failedSubcall(answer, { timedOut: () => timedOut } as Parameters<typeof failedSubcall>[1])
    expect(failed && !failed.ok ? failed.code : undefined).toBe(code)
    if (failed && !failed.ok) expect(failed.details).toEqual({ subcall: 'upload' })
  })
})

describe('a process', () => {
  const subcalls = {
    samplingToken: TOKEN,
    onRequest: async (method: string, params: object) => ({ result: { method, params } }),
  }

  verifies('plugin.session.sampling_token', 'reads the token with its call, where it has one', async () => {
    const context = async (more: object) => {
      const outcome = await bed.call('params', {}, { invokeId: 'inv_x', ...more })
      return outcome.ok && (outcome.payload as { context: unknown }).context
    }
    expect(await context({ subcalls })).toEqual({ invoke_id: 'inv_x', sampling_token: TOKEN })
    expect(await context({})).toEqual({ invoke_id: 'inv_x' })
  })

  it('is answered by the host, and refused where its call has no token', async () => {
    const ask = (more: object) =>
      bed.call('reverseAnswer', { method: 'llm/complete', params: { sampling_token: TOKEN, a: 1 } }, more)
    expect(await ask({ subcalls })).toMatchObject({
      payload: { result: { method: 'llm/complete', params: { a: 1 } } },
    })
    expect(await ask({})).toMatchObject({ payload: { error: { data: { name: 'permission_denied' } } } })
  })

  verifies('subcall.end', 'ends its call while requests are under way, and serves the next one', async () => {
    const aborted: boolean[] = []
    const onRequest = (_method: string, _params: object, signal: AbortSignal) =>
      new Promise<SubcallReply>(() => signal.addEventListener('abort', () => aborted.push(true)))
    const hanging = { samplingToken: TOKEN, onRequest }
    const args = { method: 'llm/complete', count: 20, params: { sampling_token: TOKEN } }
    const own = { userId: 'hanging' }
    expect(await bed.call('reverse', args, { ...own, subcalls: hanging })).toMatchObject({ ok: true })
    expect(aborted).toHaveLength(16)
    expect(await bed.call('echo', { next: true }, own)).toMatchObject({ payload: { next: true } })
  })

  it.each([['call'], ['job']] as const)('may send a file of 4 MiB in a %s', async (kind) => {
    const bytes_b64 = 'x'.repeat(5_592_408)
    const args = {
      method: 'host/uploadFile',
      params: { sampling_token: TOKEN, mime: 'a' },
      grow: bytes_b64.length,
    }
    const sizes: number[] = []
    const measuring = {
      samplingToken: TOKEN,
      onRequest: async (_method: string, params: Readonly<Record<string, unknown>>) => {
        sizes.push(String(params.bytes_b64).length)
        return { result: {} }
      },
    }
    const asked = { subcalls: measuring }
    const outcome =
      kind === 'call'
        ? await bed.call('reverseAnswer', args, asked)
        : await bed.job('reverseAnswer', args, asked).outcome
    expect(outcome).toMatchObject({ ok: true, payload: { result: {} } })
    expect(sizes).toEqual([bytes_b64.length])
  })
})
