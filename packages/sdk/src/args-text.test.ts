import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { argsError, argsText } from './args-text.ts'

/** The text, or the refusal. */
const textOf = async (args: unknown) => argsText(args) ?? argsError('storage.set', args)

verifies.each('numbers.refused')([
  ['value', { key: 'k', value: Number.NaN }, 'NaN'],
  ['args.rows[3].id', { args: { rows: [0, null, 'null', { id: Number.POSITIVE_INFINITY }] } }, 'Infinity'],
  ['value.low', { value: { low: Number.NEGATIVE_INFINITY } }, '-Infinity'],
  ['args.ids[1]', { args: { ids: [1, 12345678901234567890n] } }, '12345678901234567890'],
  ['args.when', { args: { when: { toJSON: () => Number.NaN } } }, 'NaN'],
])('%s', async (path, args, shown) => {
  expect(await textOf(args)).toMatchObject({
    code: 'invalid_arg',
    message: `${path}: ${shown} cannot be kept exactly; send it as a string`,
    details: { path },
  })
})

it.each([
  ['null', { a: null, b: [null], c: 'null', d: undefined }, '{"a":null,"b":[null],"c":"null"}'],
  ['numbers', { a: -0, b: 1e21, c: 5e-324 }, '{"a":0,"b":1e+21,"c":5e-324}'],
  ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
])('writes %s', async (_name, args, text) => {
  expect(await textOf(args)).toBe(text)
})

it('refuses what would be stored as {} or null, by its path', async () => {
  expect(await textOf({ key: 'k', value: { list: [1, 2, 3, { when: new Map() }] } })).toMatchObject({
    code: 'invalid_arg',
    message: 'value.list[3].when is a Map; JSON cannot hold one',
    details: { path: 'value.list[3].when' },
  })
})

it.each([[[]], [new Map()], ['text'], [null]])(
  'refuses arguments that are not an object: %j',
  async (args) => {
    expect(await textOf(args)).toMatchObject({
      message: 'the arguments of storage.set must be a JSON object',
    })
  },
)
