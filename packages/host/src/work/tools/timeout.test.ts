import { verifies } from '@svc/conformance/verifies'
import { limits, manifestSchema } from '@svc/contract'
import { outputObject } from '@svc/contract/stdio'
import { expect } from 'vitest'
import { objectText } from './payload.ts'
import { checkTimeout, longestToolTimeout, syncTimeout } from './timeout.ts'

const tool = (timeout_ms?: unknown) =>
  ({ name: 't', parameters: [], ...(timeout_ms !== undefined && { timeout_ms }) }) as unknown as Parameters<
    typeof syncTimeout
  >[1]

verifies.each([
  'tools.invoke.timeout.clamped',
  'tools.invoke.timeout.declared',
  'tools.invoke.timeout.default',
  'decision.timeout.declared_clamped',
])([
  ['nothing asked, nothing declared', undefined, undefined, 65_000, null],
  ['nothing asked, declared', undefined, 20_000, 20_000, null],
  ['asked beats declared', 5_000, 20_000, 5_000, null],
  ['the least', 1_000, undefined, 1_000, null],
  ['the most', 90_000, undefined, 90_000, null],
  ['one above the most', 90_001, undefined, 90_000, 90_001],
  ['far above', 2 ** 52, undefined, 90_000, 2 ** 52],
  ['declared too low', undefined, 10, 1_000, null],
  ['declared too high', undefined, 3_600_000, 90_000, null],
  ['declared as text', undefined, '20000', 65_000, null],
  ['declared as a fraction', undefined, 1_500.5, 65_000, null],
  ['declared as null', undefined, null, 65_000, null],
] as const)('%s', (_name, asked, declared, effective, clampedFrom) => {
  expect(syncTimeout(asked, tool(declared), limits)).toEqual({ effective, clampedFrom })
})

verifies.each(['design.hello.capabilities'])([
  ['no plugin', [], 65_000],
  ['one that declares less', [20_000], 65_000],
  ['one that declares more', [20_000, 80_000], 80_000],
  ['one that declares too much', [500_000], 90_000],
] as const)('the longest tool timeout: %s', (_name, declared, expected) => {
  const manifest = manifestSchema.parse({
    schema: 3,
    name: 'App',
    ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] },
    required_plugs: ['p'],
  })
  const description = {
    name: 'p',
    tools: declared.map((ms) => ({ name: `t${ms}`, parameters: [], timeout_ms: ms })),
  }
  const plugin = {
    tool_id: 'p',
    handle: 'p',
    spec: { id: 'p', version: '1', command: ['p'] as const },
    status: 'available' as const,
    description,
    problem: null,
    link: null,
  }
  const unreachable = {
    ...plugin,
    tool_id: 'q',
    handle: 'q',
    description: { name: 'q', tools: [{ name: 't', parameters: [], timeout_ms: 90_000 }] },
  }
  expect(longestToolTimeout([plugin, unreachable], manifest, limits)).toBe(expected)
})

verifies.each(['decision.payload.forced', 'tools.reply.object'])([
  [{ a: 1 }, { a: 1 }],
  [{}, {}],
  [null, {}],
  [undefined, {}],
  [[1, 2], { value: [1, 2] }],
  [[], { value: [] }],
  ['text', { value: 'text' }],
  ['', { value: '' }],
  [0, { value: 0 }],
  [false, { value: false }],
])('forces %j to %j', (payload, expected) => {
  expect(outputObject(payload)).toEqual(expected)
  for (const white of ['', ' \t\r\n'])
    expect(JSON.parse(objectText(`${white}${JSON.stringify(payload ?? null)}${white}`))).toEqual(expected)
})

verifies.each(['tools.invoke.timeout.minimum', 'decision.reject_ranges'])([
  [undefined, 1_000, null],
  [1_000, 1_000, null],
  [999, 1_000, 'timeoutMs must be at least 1000, got 999'],
  [0, 1_000, 'timeoutMs must be at least 1000, got 0'],
  [-1, 1_000, 'timeoutMs must be at least 1000, got -1'],
  [200, 100, null],
  [99, 100, 'timeoutMs must be at least 100, got 99'],
])('a timeout of %s with a least of %i: %s', (asked, SYNC_TIMEOUT_MIN_MS, sentence) => {
  const hold = () => checkTimeout(asked, { SYNC_TIMEOUT_MIN_MS })
  if (sentence === null) expect(hold).not.toThrow()
  else expect(hold).toThrow(expect.objectContaining({ code: 'invalid_arg', message: sentence }))
})
