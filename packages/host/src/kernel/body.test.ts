import { verifies } from '@svc/conformance/verifies'
import { limits, Refusal } from '@svc/contract'
import { afterEach, expect, it, vi } from 'vitest'
import { readBody } from './body.ts'

afterEach(() => vi.restoreAllMocks())

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
/** A call that is too deep for an array: the array itself is the first of the levels. */
const deep = nested(64)
const MANY = 1_000_000

/** What a body comes to, and how many texts were parsed for it. */
function read(text: string) {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    const body = readBody(Buffer.from(text), limits)
    const parts =
      'one' in body ? body.one : body.many.map((part) => ('call' in part ? part.call : 'too deep'))
    return { parts, parsed: parse.mock.calls.length }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { refused: error.message, parsed: parse.mock.calls.length }
  } finally {
    parse.mockRestore()
  }
}

const TOO_MANY = 'an array of calls must have 1 to 64, got more'

verifies.each(['wall.depth', 'design.batch.size', 'decision.envelope.depth'])([
  ['a deep call and a million numbers', `[${deep}${',0'.repeat(MANY)}]`, { refused: TOO_MANY, parsed: 0 }],
  ['a deep call and a million objects', `[${deep}${',{}'.repeat(MANY)}]`, { refused: TOO_MANY, parsed: 0 }],
  ['a million numbers', `[0${',0'.repeat(MANY)}]`, { refused: TOO_MANY, parsed: 0 }],
  ['65 calls that nobody closes', `[0${',0'.repeat(65)}`, { refused: TOO_MANY, parsed: 0 }],
  ['a million brackets', nested(MANY), { parts: ['too deep'], parsed: 0 }],
  [
    'a deep call between two good ones',
    `[{},${deep}, {"a":1} ]`,
    { parts: [{}, 'too deep', { a: 1 }], parsed: 2 },
  ],
  ['63 levels in a call', `[${nested(63)}]`, { parts: [JSON.parse(nested(63))], parsed: 1 }],
])('%s: nothing is parsed that need not be', (_name, text, expected) => {
  expect(read(text)).toEqual(expected)
})

const tooManyNumbers = expect.stringContaining('at most 20000 numbers whose text JavaScript would change')
const odd = (count: number) => `{"args":[${Array(count).fill('1.0').join()}]}`
verifies.each('numbers.many')([
  ['in a call', odd(20_001)],
  ['in the calls of an array together', `[${odd(10_000)},${odd(10_001)}]`],
])('more numbers than may be kept as text %s are refused, and nothing is parsed', (_where, text) => {
  expect(read(text)).toEqual({ refused: tooManyNumbers, parsed: 0 })
})

const NO_JSON = 'the body must be JSON'
const NONE = 'an array of calls must have 1 to 64, got none'
it.each([
  ['[]', NONE],
  [' [ \n ] ', NONE],
  ['[', NO_JSON],
  ['[,]', NO_JSON],
  ['[{},]', NO_JSON],
  ['[{}]x', NO_JSON],
  ['[{}}', NO_JSON],
  ['["', NO_JSON],
  [`[${deep},]`, NO_JSON],
  [`[${deep},{"a":]`, NO_JSON],
  [`[${deep},{}]]`, NO_JSON],
  [`[${deep},{}`, NO_JSON],
])('the array %j is refused whole', (text, refused) => {
  expect(read(text)).toMatchObject({ refused })
})

it('brackets, commas and quotes inside strings are text', () => {
  const call = { 'a,"[{': '\\"],}\\', b: ['x,', '\\\\'] }
  const text = JSON.stringify(call)
  expect(read(`[${text},${deep},${text}]`).parts).toEqual([call, 'too deep', call])
  expect(read(`\t[\r\n${text} , ${text}\n]\n`).parts).toEqual([call, call])
})
