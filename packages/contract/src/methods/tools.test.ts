import { readFileSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { explain } from './define.ts'
import { tools } from './tools.ts'

const corpus = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/timeouts.json', import.meta.url), 'utf8'),
) as { sync: [given: unknown, verdict: unknown][] }

/** The arguments of a call as they come off the wire; the corpus writes two values as words. */
function wire(timeoutMs: unknown): unknown {
  if (timeoutMs === '<absent>') return { tool_id: 'a.b' }
  const literal = timeoutMs === '1e400 literal' ? '1e400' : JSON.stringify(timeoutMs)
  return JSON.parse(`{"tool_id":"a.b","timeoutMs":${literal}}`)
}

const read = (args: unknown) => tools.invoke.args.safeParse(args)

/** The least timeout is a limit of the host, which judges it: here any integer passes. */
const isInteger = (given: unknown) => given === '<absent>' || Number.isSafeInteger(given)

verifies.each('decision.timeout.safe_integer')(corpus.sync)('timeoutMs %j: %j', (given) => {
  expect(read(wire(given)).success).toBe(isInteger(given))
})

verifies.each('tools.invoke.timeout.boolean')([true, false])('timeoutMs %j is refused', (timeoutMs) => {
  expect(read({ tool_id: 'a.b', timeoutMs }).success).toBe(false)
})

verifies.each('decision.timeout.safe_integer')([[1_000.5], [2 ** 53], [Number.NaN], [[5_000]], ['']])(
  'timeoutMs %j is refused',
  (timeoutMs) => expect(read({ tool_id: 'a.b', timeoutMs }).success).toBe(false),
)

it('leaves a timeout above the longest, and one below the least, to the host', () => {
  expect(read({ tool_id: 'a.b', timeoutMs: 90_001 }).data?.timeoutMs).toBe(90_001)
  expect(read({ tool_id: 'a.b', timeoutMs: 999 }).data?.timeoutMs).toBe(999)
})

it('says what is wrong with a timeout', () => {
  const args = { tool_id: 'a.b', timeoutMs: '200' }
  const { error } = read(args)
  expect(error && explain(error, args)).toBe('timeoutMs must be an integer, got "200"')
})

verifies.each('tools.invoke.method.type')([[7], [true], [null], [{}], [['m']]])(
  'method %j is refused',
  (method) => {
    expect(read({ tool_id: 'a', method }).success).toBe(false)
  },
)

it.each([
  ['a.b', true],
  ['x'.repeat(256), true],
  ['x'.repeat(257), false],
  ['', false],
  [7, false],
  [undefined, false],
])('tool_id %j: %j', (tool_id, ok) => {
  expect(read({ tool_id }).success).toBe(ok)
})

it.each([
  [undefined, true],
  [{}, true],
  [{ any: [1, null, { deep: true }] }, true],
  [null, false],
  [[], false],
  ['x', false],
  [7, false],
])('args %j: %j', (args, ok) => {
  expect(read({ tool_id: 'a.b', args }).success).toBe(ok)
})

it('hands args on as the very object that came', () => {
  const args = JSON.parse('{"__proto__":{"x":1},"constructor":2,"n":-0}')
  expect(read({ tool_id: 'a.b', args }).data?.args).toBe(args)
})

it('an entry has five fields, one of three states, and what its plugin says that it returns', () => {
  const entry = {
    tool_id: 'tool-a-b-1',
    plugin_name: 'B',
    tool_name: 'b',
    description: 'Does b.',
    input_schema: { type: 'object' },
  }
  const takes = (one: object) => tools.list.result.safeParse({ tools: [one] }).success
  for (const status of ['available', 'deploying', 'unavailable'])
    expect(takes({ ...entry, status })).toBe(true)
  expect(takes({ ...entry, status: 'ready' })).toBe(false)
  expect(takes({ ...entry, status: 'available', output_schema: { type: 'array' } })).toBe(true)
  expect(takes({ ...entry, status: 'available', output_schema: 'array' })).toBe(false)
  for (const name of Object.keys(entry))
    expect(takes({ ...entry, status: 'available', [name]: undefined }), name).toBe(false)
})

it('says how a date is written', () => {
  const input = { since: '2026-01-01' }
  const parsed = tools.listJobs.args.safeParse(input)
  expect(parsed.error && explain(parsed.error, input)).toBe(
    'since must be a time of RFC 3339 with its offset, such as 2026-01-01T00:00:00Z, got "2026-01-01"',
  )
})
