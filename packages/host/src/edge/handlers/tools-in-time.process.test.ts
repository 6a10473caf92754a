import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { afterAll, beforeAll, expect } from 'vitest'

const START = Date.UTC(2030, 0, 1)
const clock = frozenClock(START)
/** Processes start and end in their own time, on a busy machine too. */
const PATIENT = { timeout: 10_000, interval: 10 }
let services: ToolHost

beforeAll(async () => {
  services = await openToolHost({ clock })
})
afterAll(() => services.close())

/** A call under way, once the plugin has read it; in a window of its own, because tokens age as time is moved. */
async function underWay(timeoutMs: number, method = 'hang', args: unknown = {}) {
  const window = await services.openWindow()
  const calls = () => services.read().filter((line) => line.method === 'call')
  const before = calls().length
  let settled = false
  const answer = window.call('tools', 'invoke', { tool_id: 'odd', method, args, timeoutMs }).finally(() => {
    settled = true
  })
  await expect.poll(() => calls().length, PATIENT).toBe(before + 1)
  return { answer, isSettled: () => settled, id: calls().at(-1)?.id }
}

verifies.each([
  'tools.invoke.timeout.forwarded',
  'tools.invoke.deadline.forwarded',
  'decision.deadline.without_grace',
  'stdio.call.context',
  'tools.invoke.timeout.declared',
])([
  ['echo', undefined, 65_000],
  ['patient', undefined, 80_000],
  ['patient', 2_000, 2_000],
  ['echo', 1_000, 1_000],
  ['echo', 90_000, 90_000],
  ['echo', 90_001, 90_000],
])(
  '%s with timeoutMs %j reads %i and the deadline without the grace',
  async (method, timeoutMs, effective) => {
    const answer = await services.invoke(method, {}, timeoutMs === undefined ? {} : { timeoutMs })
    const read = services.read().findLast((line) => line.method === 'call') as { id: string }
    expect(answer).toEqual({
      id: '1',
      ok: true,
      result: {
        name: method,
        args: {},
        timeout: effective,
        deadline_ms: clock.now() + effective,
        context: { invoke_id: read.id },
      },
    })
  },
)

const corpus: { sync: [unknown, unknown][] } = JSON.parse(
  readFileSync(new URL('../../../../conformance/corpora/timeouts.json', import.meta.url), 'utf8'),
)
/** What a row of the corpus says: the effective timeout, or the code. */
const meaning = (said: unknown) =>
  typeof said === 'number' ? said : Number(/^(?:clamp )?(\d+)/.exec(String(said))?.[1]) || 'invalid_arg'
/** How a row writes its value: absent, a literal that JSON.stringify cannot write, or the value. */
function text(value: unknown): string {
  if (value === '<absent>') return ''
  return `,"timeoutMs":${typeof value === 'string' && value.endsWith(' literal') ? value.split(' ')[0] : JSON.stringify(value)}`
}
verifies.each([
  'tools.invoke.timeout.boolean',
  'tools.invoke.timeout.minimum',
  'decision.timeout.safe_integer',
])([
  ...corpus.sync.map(([value, said]) => [value, meaning(said)]),
  [999, 'invalid_arg'],
  [0, 'invalid_arg'],
  [1000.5, 'invalid_arg'],
  [false, 'invalid_arg'],
  [[], 'invalid_arg'],
  ['-1e400 literal', 'invalid_arg'],
  ['1e3 literal', 1_000],
  [9_007_199_254_740_991, 90_000],
])('timeoutMs %j is %j', async (value, expected) => {
  const { body, status } = await services.window.post(
    `{"id":"1","window_uuid":"${services.window.windowUuid}","ns":"tools","method":"invoke",` +
      `"args":{"tool_id":"odd.echo"${text(value)}}}`,
  )
  if (typeof expected === 'number') expect(body).toMatchObject({ ok: true, result: { timeout: expected } })
  else {
    expect(status).toBe(400)
    expect(body).toMatchObject({ ok: false, error: { code: 'invalid_arg', message: /timeoutMs/ } })
  }
})

verifies(
  [
    'tools.invoke.grace',
    'tools.invoke.timeout.code',
    'tools.invoke.timeout.cancel',
    'tools.invoke.timeout.reaped',
    'error.tool_timeout',
    'host.clock',
  ],
  'a call is given up two seconds after its timeout: told, and its tree is gone',
  async () => {
    const { answer, isSettled, id } = await underWay(1_000, 'hang', { grandchild: true })
    await clock.advance(2_999)
    expect(isSettled()).toBe(false)
    await clock.advance(1)
    expect(await answer).toEqual({
      id: '1',
      ok: false,
      error: { code: 'tool_timeout', message: 'hang did not answer in 1000 ms.' },
    })
    await expect
      .poll(() => services.read(), PATIENT)
      .toContainEqual({ jsonrpc: '2.0', method: 'cancel', params: { id: id, reason: 'timeout' } })
    // Warm processes of the calls before go when they have been idle for long; nothing else may be left.
    await clock.advance(10 * limits.POOL_IDLE_MS)
    await expect.poll(() => services.processes(), PATIENT).toEqual([])
  },
)

verifies.each(['tools.invoke.timeout.details', 'decision.timeout.details_only_clamped'])([
  [100_000, { timeout_ms: 90_000, requested_timeout_ms: 100_000, max_timeout_ms: 90_000 }],
  [90_000, undefined],
])('after timeoutMs %i the details are %j', async (timeoutMs, details) => {
  const { answer } = await underWay(timeoutMs)
  await clock.advance(92_000)
  const { error } = (await answer) as { error: { code: string; details?: unknown } }
  expect([error.code, error.details]).toEqual(['tool_timeout', details])
})

verifies('decision.grace.success', 'a reply inside the grace is a success', async () => {
  const file = join(services.folder, 'go')
  const { answer } = await underWay(1_000, 'wait', { file })
  await clock.advance(2_999)
  writeFileSync(file, '')
  expect(await answer).toEqual({ id: '1', ok: true, result: { waited: true, self: expect.any(String) } })
})
