import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { argsText } from './args-text.ts'
import type { HostRpcError } from './errors.ts'

/** The text, or the refusal. */
function textOf(args: unknown): string | HostRpcError {
  try {
    return argsText('storage.set', args)
  } catch (error) {
    return error as HostRpcError
  }
}

verifies.each('numbers.refused')([
  ['value', { key: 'k', value: Number.NaN }, 'NaN'],
  ['args.rows[3].id', { args: { rows: [0, null, 'null', { id: Number.POSITIVE_INFINITY }] } }, 'Infinity'],
  ['value.low', { value: { low: Number.NEGATIVE_INFINITY } }, '-Infinity'],
  ['args.ids[1]', { args: { ids: [1, 12345678901234567890n] } }, '12345678901234567890'],
  ['args.when', { args: { when: { toJSON: () => Number.NaN } } }, 'NaN'],
])('%s', (path, args, shown) => {
  const { code, message, details } = textOf(args) as HostRpcError
  expect([code, message, details]).toEqual([
    'invalid_arg',
    `${path}: ${shown} cannot be kept exactly; send it as a string`,
    { path },
  ])
})

it.each([
  ['null', { a: null, b: [undefined, null], c: 'null' }, '{"a":null,"b":[null,null],"c":"null"}'],
  ['numbers', { a: -0, b: 1e21, c: 5e-324 }, '{"a":0,"b":1e+21,"c":5e-324}'],
])('writes %s', (_name, args, text) => {
  expect(textOf(args)).toBe(text)
})

it('refuses NaN and Infinity wherever they are, and nothing else that JSON has', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything({ withBigInt: false })), (args) => {
      let isFound = false
      JSON.stringify(args, (_, value) => {
        if (typeof value === 'number' && !Number.isFinite(value)) isFound = true
        return value
      })
      expect(typeof textOf(args)).toBe(isFound ? 'object' : 'string')
    }),
  )
})
