import { expect, it } from 'vitest'
import { constantsOf } from './keep-constants.ts'

it.each([
  ['a number', 'var WAIT_MS = 1e3;\n', 'const WAIT_MS = 1e3;\n'],
  ['one below 0', 'var LEAST = -1;', 'const LEAST = -1;'],
  ['one of several', 'var A = 1;\nvar B = 2.5;', 'const A = 1;\nconst B = 2.5;'],
  ['what is computed', 'var A = 1 + B;', 'var A = 1 + B;'],
  ['a text', 'var A = "1";', 'var A = "1";'],
  ['a variable', 'var seen = 1;', 'var seen = 1;'],
  ['what is inside of a function', 'function f() {\n  var A = 1;\n}', 'function f() {\n  var A = 1;\n}'],
])('writes %s as it should be', (_, source, written) => {
  expect(constantsOf(source)).toBe(written)
})
