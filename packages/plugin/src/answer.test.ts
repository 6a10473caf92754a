import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { describe, expect, it } from 'vitest'
import { answerer } from './answer.ts'
import { tool } from './tool.ts'

const NOW = Date.UTC(2026, 0, 1)

/** A plugin on no stream at all: lines go in, messages and log records come out. */
function openBed() {
  const out: Record<string, unknown>[] = []
  const logged: (readonly unknown[])[] = []
  let release = () => {}
  let seen: unknown
  const plugged = answerer(
    {
      name: 'bed',
      version: '1.2.3',
      hostCapabilities: ['llm.sample'],
      tools: {
        echo: tool({
          description: 'Gives back.',
          parameters: [
            { name: 'city', type: 'string', required: true },
            { name: 'days', type: 'integer', default: 3 },
            { name: 'unit', type: 'string', enum: ['C', 'F'] },
          ],
          timeoutMs: 5_000,
          run: ({ city, days, unit }) => ({ city, days, unit }),
        }),
        listed: tool({ outputSchema: { type: 'array' }, run: () => [] }),
        free: tool({ run: (args) => args }),
        grows: tool({
          parameters: [{ name: 'list', type: 'array', default: [] }],
          run: ({ list }) => list.push('more') && list,
        }),
        nothing: tool({ run: () => {} }),
        throws: tool({
          run: () => {
            throw new Error('no such city')
          },
        }),
        mistake: tool({ run: () => (undefined as never as { x: string }).x }),
        rejects: tool({ run: async () => Promise.reject(new Error('too late')) }),
        text: tool({ run: () => Promise.reject('just text') }),
        bare: tool({
          run: () => {
            throw Object.create(null)
          },
        }),
        later: tool({ run: () => Promise.reject(Object.create(null)) }),
        big: tool({ run: () => 1n }),
        map: tool({ run: () => ({ list: [{ when: new Map() }] }) }),
        circle: tool({
          run: () => {
            const circle: { self?: unknown } = {}
            circle.self = circle
            return circle
          },
        }),
        context: tool({
          run: (_, { invokeId, deadlineMs, remainingMs }) => ({ invokeId, deadlineMs, left: remainingMs() }),
        }),
        progress: tool({
          run: (_, { emitProgress, log }) => {
            log('half way', 1)
            emitProgress({ done: 1 })
            emitProgress('x', 'note')
          },
        }),
        odd: tool({
          run: (_, { emitProgress }) => {
            const circle: { self?: unknown } = {}
            circle.self = circle
            for (const data of [1n, circle, 2n]) emitProgress(data)
            emitProgress(undefined)
            emitProgress(1, Symbol('odd') as never)
            emitProgress('x'.repeat(8_191))
          },
        }),
        chatty: tool({
          run: (_, { emitProgress }) => {
            for (let at = 0; at < 100; at++) emitProgress(at)
          },
        }),
        tellsLater: tool({
          run: (_, { emitProgress }) => {
            release = () => emitProgress('late')
          },
        }),
        stops: tool({ run: (_, { signal }) => signal.throwIfAborted() }),
        waits: tool({
          run: (_, ctx) =>
            new Promise((resolve, reject) => {
              release = () => resolve('released')
              ctx.signal.addEventListener('abort', () => {
                seen = ctx.signal.reason
                reject(ctx.signal.reason)
              })
            }),
        }),
      },
    },
    {
      write: (line) => out.push(JSON.parse(line)),
      tell: (line) => out.length < 10 && out.push(JSON.parse(line)) > 0,
      log: (...what) => logged.push(what),
      clock: frozenClock(NOW),
    },
  )
  const say = (message: unknown) => plugged.take(JSON.stringify(message))
  return {
    ...plugged,
    out,
    logged,
    say,
    call: (name: unknown, args?: unknown, more: object = {}) =>
      say({ jsonrpc: '2.0', id: 'i', method: 'call', params: { name, args, ...more } }),
    release: () => release(),
    seen: () => seen,
  }
}

const reply = (result: unknown) => ({ jsonrpc: '2.0', id: 'i', result })
const error = (code: number, message: unknown = expect.any(String), data?: unknown) => ({
  jsonrpc: '2.0',
  id: 'i',
  error: { code, message, ...(data !== undefined && { data }) },
})

describe('numbers', () => {
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":"i","method":"call","params":{"name":"free","args":${args},"timeout":1000}}`

  it('are those of JavaScript where it holds them', () => {
    const bed = openBed()
    bed.take(call('{"a":1.0,"b":[-0,1E5],"c":"1e400"}'))
    expect(bed.out).toEqual([reply({ output: { a: 1, b: [0, 100_000], c: '1e400' } })])
  })

  verifies.each('numbers.refused')([
    ['{"rows":[0,{"id":12345678901234567890}]}', 'args.rows[1].id', '12345678901234567890'],
    ['{"high":1e400}', 'args.high', '1e400'],
  ])('are refused by name where it does not: %s', (args, path, number) => {
    const bed = openBed()
    bed.take(call(args))
    expect(bed.out).toEqual([
      error(-32_602, `${path}: ${number} cannot be kept exactly; send it as a string`),
    ])
  })
})

describe('requests', () => {
  verifies('stdio.describe', 'describes itself', () => {
    const bed = openBed()
    bed.say({ jsonrpc: '2.0', id: 7, method: 'describe' })
    expect(bed.out).toEqual([
      {
        jsonrpc: '2.0',
        id: 7,
        result: {
          name: 'bed',
          version: '1.2.3',
          host_capabilities: ['llm.sample'],
          tools: expect.arrayContaining([
            {
              name: 'echo',
              description: 'Gives back.',
              timeout_ms: 5_000,
              parameters: expect.arrayContaining([{ name: 'city', type: 'string', required: true }]),
            },
            { name: 'listed', parameters: [], output_schema: { type: 'array' } },
            { name: 'free', parameters: [] },
          ]),
        },
      },
    ])
  })

  it.each([
    ['a value', 'echo', { city: 'Rome', unit: 'C' }, reply({ output: { city: 'Rome', days: 3, unit: 'C' } })],
    ['no arguments', 'free', undefined, reply({ output: {} })],
    ['a tool that returns nothing', 'nothing', {}, reply({ output: null })],
    [
      'null for an optional one',
      'echo',
      { city: 'a', unit: null },
      reply({ output: { city: 'a', days: 3 } }),
    ],
    ['a thrown error', 'throws', {}, reply({ success: false, error: 'no such city' })],
    ['a rejection', 'rejects', {}, reply({ success: false, error: 'too late' })],
    ['thrown text', 'text', {}, reply({ success: false, error: 'just text' })],
    ['a missing argument', 'echo', {}, error(-32602, 'city is required and must be a string')],
    ['an argument of another type', 'echo', { city: 5 }, error(-32602, 'city must be a string, got 5')],
    [
      'a fraction for an integer',
      'echo',
      { city: 'a', days: 1.5 },
      error(-32602, 'days must be an integer, got 1.5'),
    ],
    [
      'a value off the list',
      'echo',
      { city: 'a', unit: 'K' },
      error(-32602, 'unit must be one of "C", "F", got "K"'),
    ],
    ['arguments that are a list', 'free', [], error(-32602)],
    ['an unknown tool', 'nope', {}, error(-32602, 'bed has no tool "nope"')],
    ['__proto__', '__proto__', {}, error(-32602)],
    ['constructor', 'constructor', {}, error(-32602)],
    ['a name that is not text', 5, {}, error(-32602)],
  ])('answers %s', async (_, name, args, expected) => {
    const bed = openBed()
    bed.call(name, args)
    await bed.settled()
    expect(bed.out).toEqual([expected])
  })

  it.each(['bare', 'later'])('answers where %s throws what has no words', async (name) => {
    const bed = openBed()
    bed.call(name)
    await bed.settled()
    expect(bed.out).toEqual([reply({ success: false, error: 'something was thrown that cannot be shown' })])
  })

  it('gives each call a default of its own', () => {
    const bed = openBed()
    bed.call('grows')
    bed.call('grows')
    expect(bed.out).toEqual([reply({ output: ['more'] }), reply({ output: ['more'] })])
  })

  it.each([
    '{"id":"x","result":{}}',
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}',
    '{"id":null,"error":{"code":-32600}}',
  ])('drops %s, an answer to nothing, without a word', (line) => {
    const bed = openBed()
    bed.take(line)
    expect([bed.out, bed.logged]).toEqual([[], []])
  })

  it('refuses what JSON would write as {}, by its path', () => {
    const bed = openBed()
    bed.call('map', {})
    const said = 'value.list[0].when is a Map; JSON cannot hold one'
    expect(bed.out).toEqual([reply({ success: false, error: expect.stringContaining(said) })])
  })

  it.each(['big', 'circle'])('says readably that JSON cannot hold what %s returned', (name) => {
    const bed = openBed()
    bed.call(name, {})
    expect(bed.out).toEqual([reply({ success: false, error: expect.stringContaining('JSON cannot hold') })])
  })

  it.each([
    ['an unknown method', { id: 'i', method: 'nope' }, error(-32601)],
    ['a method that is not text', { id: 'i', method: 5 }, error(-32600)],
    ['no method', { id: 'i' }, error(-32600)],
    ['a call without params', { id: 'i', method: 'call' }, error(-32602)],
  ])('refuses %s', (_, message, expected) => {
    const bed = openBed()
    bed.say(message)
    expect(bed.out).toEqual([expected])
  })

  it.each([
    ['what it reports', 'throws', 'throws failed: no such city'],
    ['what JSON cannot hold', 'big', expect.any(Error)],
    ['a mistake', 'mistake', expect.any(TypeError)],
  ])('logs the stack of a mistake alone: %s', (_, name, logged) => {
    const bed = openBed()
    bed.call(name)
    expect(bed.logged).toEqual([[logged]])
  })

  it.each([
    '',
    '   ',
    'debug',
    '{',
    'null',
    '42',
    '[]',
    '{}',
    '{"method":"call"}',
    '{"id":null,"method":"call"}',
  ])('skips the line %j', (line) => {
    const bed = openBed()
    bed.take(line)
    expect(bed.out).toEqual([])
    expect(bed.logged).toHaveLength(1)
  })
})

describe('the context', () => {
  verifies(['stdio.remaining', 'stdio.call.context'], 'knows the call', () => {
    const bed = openBed()
    bed.call('context', {}, { deadline_ms: NOW + 1_234, context: { invoke_id: 'inv_9' } })
    expect(bed.out).toEqual([reply({ output: { invokeId: 'inv_9', deadlineMs: NOW + 1_234, left: 1_234 } })])
  })

  it('sends progress and writes to the log', () => {
    const bed = openBed()
    bed.call('progress')
    expect(bed.out.slice(0, 2)).toEqual([
      { jsonrpc: '2.0', method: 'progress', params: { id: 'i', type: 'progress', data: { done: 1 } } },
      { jsonrpc: '2.0', method: 'progress', params: { id: 'i', type: 'note', data: 'x' } },
    ])
    expect(bed.logged).toEqual([['half way', 1]])
  })

  it('lives through progress that cannot be told, and logs once why', () => {
    const bed = openBed()
    bed.call('odd')
    const params = [
      { id: 'i', type: 'progress', data: null },
      { id: 'i', type: 'Symbol(odd)', data: 1 },
      { id: 'i', type: 'progress', data: 'x'.repeat(8_191) },
    ]
    expect(bed.out).toEqual([
      ...params.map((one) => ({ jsonrpc: '2.0', method: 'progress', params: one })),
      reply({ output: null }),
    ])
    expect(bed.logged).toEqual([
      [
        'progress: JSON cannot hold it, so it was not sent',
        'data: 1 cannot be kept exactly; send it as a string',
      ],
      ['progress: its data may have 8192 bytes of JSON, the host drops more', 8_193],
    ])
  })

  it('lets progress go that the host does not read, and logs it once', () => {
    const bed = openBed()
    bed.call('chatty')
    expect(bed.out).toHaveLength(11)
    expect(bed.out.at(-1)).toEqual(reply({ output: null }))
    expect(bed.logged).toEqual([['progress: it comes faster than the host reads it, so some was not sent']])
  })

  it('tells no progress after the end of its call', () => {
    const bed = openBed()
    bed.call('tellsLater')
    bed.release()
    expect(bed.out).toEqual([reply({ output: null })])
  })

  it('fires its signal on cancel, with the reason', async () => {
    const bed = openBed()
    bed.call('waits')
    bed.say({ method: 'cancel', params: { id: 'other' } })
    bed.say({ method: 'cancel', params: { id: 'i', reason: 'enough' } })
    await bed.settled()
    expect(bed.seen()).toBe('enough')
    expect(bed.out).toEqual([reply({ success: false, error: 'enough' })])
    expect(bed.logged).toEqual([])
  })

  it('says that it was the deadline', async () => {
    const bed = openBed()
    bed.call('stops', {}, { deadline_ms: NOW - 1 })
    await bed.settled()
    expect(bed.out).toEqual([error(-32000, 'The deadline of the call has passed.', { name: 'tool_timeout' })])
  })

  it('runs calls side by side', async () => {
    const bed = openBed()
    bed.call('waits')
    bed.say({ id: 'second', method: 'call', params: { name: 'free' } })
    expect(bed.out).toEqual([{ jsonrpc: '2.0', id: 'second', result: { output: {} } }])
    bed.release()
    await bed.settled()
    expect(bed.out).toHaveLength(2)
  })
})
