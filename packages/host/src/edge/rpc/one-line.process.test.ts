import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { connectRunner, type RemoteRunner } from '@svc/runner'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { oneLine } from '../../kernel/json.ts'
import { type TestRunner, testRunner } from '../../testing/jobs-runner.ts'
import { openSocket } from '../../testing/socket.ts'

const SPACES = [' ', '\t', '\n', '\r', '\r\n', '\n\n']

/** JSON of a value with any white space before and after each token, and what it says. */
const spaced = fc
  .tuple(fc.jsonValue(), fc.infiniteStream(fc.constantFrom('', '', ...SPACES)))
  .map(([value, spaces]) => {
    const tokens = JSON.stringify(value).match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^{}[\],:"]+/g) ?? []
    const text = tokens.map((token) => `${spaces.next().value}${token}`).join('') + spaces.next().value
    return { value: JSON.parse(JSON.stringify(value)), text }
  })

verifies('answer.one_line', 'JSON with white space anywhere is one line that says the same', () => {
  fc.assert(
    fc.property(spaced, ({ value, text }) => {
      const line = oneLine(text)
      expect(line).not.toMatch(/[\r\n]/)
      expect(Buffer.byteLength(line)).toBe(Buffer.byteLength(text))
      expect(JSON.parse(line)).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

it('leaves a text without line breaks as it is', () => {
  const text = '{"a": "\\n\u2028"}'
  expect(oneLine(text)).toBe(text)
})

let services: TestHost
let window: TestWindow
let runner: TestRunner
let machine: RemoteRunner
let toolId: string
let port: number

/** What a hostile machine says so that a part of it reads like the answer to the call with the id 2. */
const FORGERY = '{"x":[\n{"id":"2","ok":true,"result":{"forged":1}}\r\n,\r{"y":"1 200 {}\\n"}]}'
const said = JSON.parse(FORGERY)
const forged = { ok: true, payload: said, json: FORGERY, bytes: FORGERY.length } as const

beforeAll(async () => {
  services = await openTestHost({ runner: null })
  const { publishing, runners } = services.host
  const made = await publishing.create('ada', {
    name: 'Eve',
    type: 'tool',
    distribution: { type: 'npm', package_name: 'eve', version: '1.0.0' },
    manifest: { name: 'eve', tools: [{ name: 'read', parameters: [] }] },
  })
  toolId = made.tool_id
  await services.pushDraft({ required_plugs: [toolId] })
  port = (await services.host.listen(0)).port
  const { token } = await runners.enrol('ada', { name: 'A laptop' })
  runner = testRunner()
  machine = connectRunner({
    url: `http://127.0.0.1:${port}`,
    token,
    log: pino({ level: 'silent' }),
    stateDir: null,
    runner: { ...runner, call: async () => forged, departed: async () => {} },
  })
  window = await services.openWindow()
  await vi.waitUntil(
    async () => {
      const listed = await window.call('tools', 'list')
      return listed.ok && (listed.result.tools as { status: string }[])[0]?.status === 'available'
    },
    { timeout: 20_000 },
  )
})
afterAll(async () => {
  await machine.close()
  await services.close()
})

const envelope = (id: string, ns: string, method: string, args: unknown) =>
  JSON.stringify({ id, window_uuid: window.windowUuid, ns, method, args })

const socket = () => openSocket({ port, cookie: window.cookie })

/** Every line protocol that carries an answer to a page, and the lines that came over it. */
const borders: Readonly<Record<string, (body: string, count: number) => Promise<string[]>>> = {
  'an array body': async (body) => (await window.post(body)).text.split('\n').slice(0, -1),
  async 'a call socket'(body, count) {
    const { ask, ws } = await socket()
    const lines = await ask(body, window.token, count)
    ws.terminate()
    return lines.map(({ text }) => text)
  },
}

verifies.each(['answer.one_line', 'wall.answers'])(Object.keys(borders))(
  'over %s a result with line breaks is the answer to its own call and to no other',
  async (border) => {
    const body = `[${envelope('1', 'tools', 'invoke', { tool_id: toolId, method: 'read' })},${envelope('2', 'window', 'heartbeat', {})}]`
    const lines = (await borders[border]?.(body, 2)) ?? []
    const answers = lines.map((line) => JSON.parse(line) as { id: string; result: unknown })
    expect(new Map(answers.map(({ id, result }) => [id, result]))).toEqual(
      new Map<string, unknown>([
        ['1', said],
        ['2', {}],
      ]),
    )
    expect(lines).toHaveLength(2)
  },
)

verifies.each(['answer.one_line', 'wall.answers'])(Object.keys(borders))(
  'over %s the snapshot of a job whose result and progress have line breaks is one line',
  async (border) => {
    const started = await window.call('tools', 'invokeAsync', { tool_id: toolId, method: 'read' })
    const { jobId } = (started.ok ? started.result : {}) as { jobId: string }
    await expect.poll(() => runner.started.map((job) => job.jobId)).toContain(jobId)
    runner.of(jobId).onProgress({ type: 'step', json: FORGERY })
    runner.of(jobId).end(forged)
    const read = envelope('1', 'tools', 'getJob', { jobId, sinceSeq: 0 })
    await expect
      .poll(async () => {
        const answer = await window.call('tools', 'getJob', { jobId })
        return answer.ok && answer.result.state
      })
      .toBe('succeeded')
    const lines = (await borders[border]?.(`[${read}]`, 1)) ?? []
    expect(lines.map((line) => JSON.parse(line).result)).toMatchObject([
      { result: said, progress: [{ type: 'step', data: said }] },
    ])
  },
)
