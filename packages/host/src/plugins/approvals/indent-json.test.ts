import { expect, it } from 'vitest'
import { indentJson } from './indent-json.ts'

const ALL = 1_000_000

it.each([
  null,
  true,
  -1.5,
  '',
  'a "b" \\ , : {}[]',
  {},
  [],
  [[], {}, [{}]],
  { a: 1, 'b:': [1, 2, { c: '}' }], d: {} },
  [[[['deep']]], { x: { y: { z: null } } }],
])('%j is laid out as JSON.stringify does it, however it was written', (value) => {
  const expected = JSON.stringify(value, null, 2)
  expect(indentJson(JSON.stringify(value), ALL)).toBe(expected)
  expect(indentJson(JSON.stringify(value, null, '\t'), ALL)).toBe(expected)
})

it.each([
  ['{"n":1e400,"m":12345678901234567890.10}', '{\n  "n": 1e400,\n  "m": 12345678901234567890.10\n}'],
  ['{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'],
  ['["\\u0041\\/"]', '[\n  "\\u0041\\/"\n]'],
  ['{"a":"no end', '{\n  "a": "no end'],
  ['{"a":"no end\\', '{\n  "a": "no end\\'],
  ['{"a', '{\n  "a'],
  ['{ "a" :', '{\n  "a": '],
])('keeps each token of %s', (json, text) => expect(indentJson(json, ALL)).toBe(text))

it('ends soon after the most that is wanted, whatever is nested', () => {
  expect(indentJson('['.repeat(20_000), 1_000).length).toBeLessThan(1_100)
  expect(indentJson(`["${'x'.repeat(5_000)}","y"]`, 1_000)).not.toContain('y')
})
