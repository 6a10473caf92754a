import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBed } from '../testing/bed.ts'

const bed = openBed()
afterAll(() => bed.runner.close())

const described = (result: unknown) => bed.runner.describe(bed.plugin({ DESCRIBE: JSON.stringify(result) }))
const parameters = [
  { name: 'city', type: 'string', required: true, description: 'Where' },
  { name: 'days', type: 'integer', default: 3 },
]

describe('describe', () => {
  it('reads name, version and tools, and makes a schema of the parameters', async () => {
    const tools = [{ name: 'forecast', description: 'The weather.', parameters, timeout_ms: 5_000 }]
    expect(
      await described({ name: 'weather', version: '1.2.3', tools, host_capabilities: ['llm.sample', 5] }),
    ).toEqual({
      ok: true,
      description: {
        name: 'weather',
        version: '1.2.3',
        host_capabilities: ['llm.sample'],
        tools: [
          {
            name: 'forecast',
            description: 'The weather.',
            parameters,
            timeout_ms: 5_000,
            input_schema: {
              type: 'object',
              properties: {
                city: { type: 'string', description: 'Where' },
                days: { type: 'integer', default: 3 },
              },
              required: ['city'],
            },
          },
        ],
      },
    })
  })

  it('keeps members that it does not know', async () => {
    const tool = {
      name: 'a',
      annotations: { readOnly: true },
      parameters: [{ ...parameters[0], example: 'x' }],
    }
    const small = await described({ name: 'x', homepage: 'y', tools: [tool] })
    expect(small).toMatchObject({ ok: true, description: { name: 'x', homepage: 'y', tools: [tool] } })
  })

  it.each([
    ['no name', { tools: [] }],
    ['an empty name', { name: '', tools: [] }],
    ['no tools', { name: 'x' }],
    ['tools that are an object', { name: 'x', tools: {} }],
    ['257 tools', { name: 'x', tools: Array.from({ length: 257 }, (_, i) => ({ name: `t${i}` })) }],
    ['a tool whose name begins a line', { name: 'x', tools: [{ name: 'a' }, { name: 'a\nb' }] }],
    ['a list', []],
    ['text', 'x'],
    ['null', null],
  ])('refuses %s', async (_, result) => {
    expect(await described(result)).toMatchObject({ ok: false, code: 'plug_unavailable' })
  })

  it.each([
    ['a tool without a name', [{}, { name: 'a' }], ['a']],
    ['tools that are not objects', [null, 5, 'x', [], { name: 'a' }], ['a']],
    ['the second of two names', [{ name: 'a', description: '1' }, { name: 'a' }], ['a']],
    ['__proto__', [JSON.parse('{"name":"__proto__"}'), { name: 'constructor' }], ['constructor']],
  ])('leaves out %s', async (_, tools, names) => {
    const outcome = await described({ name: 'x', tools })
    expect(outcome.ok && outcome.description.tools.map((tool) => tool.name)).toEqual(names)
  })

  it.each([
    [100, 1_000],
    [1_000_000, 90_000],
    [5_000, 5_000],
    ['5000', undefined],
    [1.5, undefined],
    [null, undefined],
    [true, undefined],
  ])('reads timeout_ms %j as %j', async (declared, read) => {
    const outcome = await described({ name: 'x', tools: [{ name: 'a', timeout_ms: declared }] })
    expect(outcome.ok && outcome.description.tools[0]?.timeout_ms).toBe(read)
  })

  it('keeps a schema whose reference goes round, and not one that is too large', async () => {
    const round = { type: 'object', properties: { a: { $ref: '#' } } }
    const large = { type: 'object', title: 'x'.repeat(65_536) }
    const outcome = await described({
      name: 'x',
      tools: [
        { name: 'round', input_schema: round },
        { name: 'large', input_schema: large, parameters: 'rubbish' },
      ],
    })
    const schemas = outcome.ok && outcome.description.tools.map((tool) => tool.input_schema)
    expect(schemas).toEqual([round, { type: 'object', properties: {} }])
  })

  verifies(
    'stdio.output_schema',
    'keeps what a tool says that it returns, where that is a schema of 64 KiB',
    async () => {
      const schema = { type: 'array', items: { $ref: '#' } }
      const tools = [
        { name: 'list', output_schema: schema },
        { name: 'large', output_schema: { title: 'x'.repeat(65_536) } },
        { name: 'rubbish', output_schema: ['x'] },
        { name: 'none' },
      ]
      const outcome = await described({ name: 'x', tools })
      const schemas = outcome.ok && outcome.description.tools.map((tool) => tool.output_schema)
      expect(schemas).toEqual([schema, undefined, undefined, undefined])
      expect(outcome.ok && Object.keys(outcome.description.tools[2] ?? {})).not.toContain('output_schema')
    },
  )

  it('cuts texts that are too long', async () => {
    const outcome = await described({ name: 'x', tools: [{ name: 'a', description: 'x'.repeat(5_000) }] })
    expect(outcome.ok && outcome.description.tools[0]?.description).toMatch(/^x{3999}…$/)
  })

  it.each([
    ['does not answer', 'hang', 'plug_unavailable'],
    ['ends at once', 'exit', 'plug_error'],
  ])('a plugin that %s', async (_, how, code) => {
    const deadlineMs = Date.now() + (how === 'hang' ? 300 : 10_000)
    const outcome = await bed.runner.describe(bed.plugin({ AT_START: how }), { deadlineMs })
    expect(outcome).toMatchObject({ ok: false, code })
  })

  verifies('stdio.stderr.last', 'tells what one said last that does not answer', async () => {
    const command = ['sh', '-c', 'echo Loading the model >&2; exec sleep 100']
    const deadlineMs = Date.now() + 2_000
    const outcome = await bed.runner.describe({ id: 'x', version: '1', command }, { deadlineMs })
    expect(outcome).toMatchObject({ details: { stderr: 'Loading the model' } })
  })

  verifies('stdio.stderr.last', 'tells what it said last, and an app nothing of a call', async () => {
    const fails = `console.error('Error: no key'); console.error('    at x (error.js)'); process.exit(3)`
    const plugin = { id: 'x', version: '1', command: ['node', '-e', fails] }
    const details = { exit_code: 3, signal: null }
    const message = 'The plugin ended with exit code 3 before it answered'
    expect(await bed.runner.describe(plugin)).toMatchObject({
      ok: false,
      message: `${message}.`,
      details: { ...details, stderr: 'Error: no key' },
    })
    const called = await bed.call('echo', {}, { plugin })
    expect(called).toEqual({ ok: false, code: 'plug_error', message: `${message}.`, details })
    const authors = openBed({ showStderr: true })
    const shown = { ok: false, message: `${message} (its stderr: Error: no key)` }
    expect(await authors.runner.describe(plugin)).toMatchObject(shown)
    expect(await authors.call('echo', {}, { plugin })).toMatchObject(shown)
    expect(await authors.job('echo', {}, { plugin }).outcome).toMatchObject(shown)
    await authors.runner.close()
  })

  it('says that the payload of a call is not a description', async () => {
    expect(await described({ output: { name: 'x', tools: [] } })).toEqual({
      ok: false,
      code: 'plug_unavailable',
      message: 'tool-hostile gave no description.',
    })
  })

  it('a description of more than 16 MiB is frame_too_large', async () => {
    const command = ['node', '-e', `process.stdin.once('data', () => console.log('x'.repeat(50e6)))`]
    const outcome = await bed.runner.describe({ id: 'large', version: '1', command })
    expect(outcome).toMatchObject({
      ok: false,
      code: 'frame_too_large',
      details: { max_frame_bytes: 16_777_216 },
    })
  })

  verifies(
    'plugin.described',
    'keeps a process warm, one without a user for whoever calls first',
    async () => {
      const own = openBed()
      await own.runner.describe(own.plugin(), { userId: 'ada' })
      await own.runner.describe(own.plugin())
      expect(own.runner.stats()).toMatchObject({ processes: 2, busy: 0 })
      for (const userId of ['bob', 'ada'])
        expect(await own.call('echo', {}, { userId })).toMatchObject({ ok: true })
      expect(own.runner.stats()).toMatchObject({ processes: 2, busy: 0 })
      await own.runner.close()
      expect(own.runner.stats().processes).toBe(0)
    },
  )
})

it.each([
  ['a plugin', {}, 'tool-mute did not answer describe in time.', /flush=True/],
  ['an MCP server', { protocol: 'mcp' }, 'tool-mute did not list its tools in time.', /"start_ms"/],
] as const)('%s that is late is told as one', async (_name, more, message, hint) => {
  const clock = frozenClock()
  const { runner } = openBed({ clock })
  onTestFinished(() => runner.close())
  const command = ['node', '-e', 'process.stdin.resume()']
  const told = runner.describe({ id: 'tool-mute', version: '1.0.0', command, ...more })
  await vi.waitUntil(() => runner.stats().processes > 0, { timeout: 20_000 })
  await clock.advance(10_000)
  expect(await told).toMatchObject({ ok: false, message, details: { hint: expect.stringMatching(hint) } })
})
