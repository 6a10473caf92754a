import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonInTurns } from './json.ts'

const LONG = 300_000

it.each<[string, object]>([
  ['nothing', {}],
  ['fields that are left out', { a: undefined, b: null, c: [undefined, 1] }],
  ['a long text', { text: 'x'.repeat(LONG) }],
  ['letters of two units at the end of a piece', { text: `x${'\u{1f600}'.repeat(LONG)}` }],
  ['half letters', { text: '\ud83d'.repeat(LONG) }],
  ['line breaks and quotes', { text: '\n"\\\u2028'.repeat(LONG) }],
  ['many texts', { items: Array(1_000).fill({ text: 'y'.repeat(1_000), n: 1 }) }],
  ['many levels', { a: [{ b: [{ c: [{ d: ['x'.repeat(LONG)] }] }] }] }],
])('%s as JSON.stringify writes it', async (_what, value) => {
  const { json, parts } = await jsonInTurns(value)
  expect(json).toBe(JSON.stringify(value))
  expect(parts?.join('')).toBe(json)
})

it('any JSON value as JSON.stringify writes it', () =>
  fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
      expect((await jsonInTurns(value)).json).toBe(JSON.stringify(value))
    }),
  ))
