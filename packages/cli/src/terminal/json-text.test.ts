import { expect, it } from 'vitest'
import { readJsonText } from './json-text.ts'

it.each([
  ['{\n  "a": 1,\n}', ':3:1 is not JSON: Expected double-quoted property name'],
  ['{\n  "a": 1\n  "b": 2\n}', ":3:3 is not JSON: Expected ',' or '}' after property value"],
  ['{\n  "a": [1, foo]\n}', ":2:13 is not JSON: Unexpected token 'o'"],
  ['{\n  "a":', ':2:7 is not JSON: Unexpected end of JSON input'],
  ['', ':1:1 is not JSON: Unexpected end of JSON input'],
])('says where %j is not JSON', (text, problem) => {
  expect(readJsonText(text, 'a.json')).toEqual({ problem: `a.json${problem}` })
})

it('reads JSON', () => {
  expect(readJsonText('{"a":1}', 'a.json')).toEqual({ value: { a: 1 } })
})
