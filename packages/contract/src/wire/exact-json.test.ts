import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusal } from '../errors/errors.ts'
import { limits } from '../limits/index.ts'
import {
  asNumbers,
  checkRange,
  endOfNumber,
  lookAt,
  needsExact,
  parseExact,
  parseKeeping,
} from './exact-json.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** The text of any JSON number, most of them odd. */
const digits = (max: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: max }).map((list) => list.join(''))
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(25).map((text) => text.replace(/^0+(?=\d)/, '')),
    fc.option(digits(25), { nil: null }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-'), digits(3)), { nil: null }),
  )
  .map(
    ([sign, whole, part, power]) =>
      `${sign}${whole}${part === null ? '' : `.${part}`}${power ? power.join('') : ''}`,
  )
const ordinary = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => JSON.stringify(value))
const text = fc.string().map((value) => JSON.stringify(value))

const { value: anyText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(number, ordinary, text, fc.constantFrom('true', 'null', '"1.0, -0, 1e400"', '"\\"1.0"')),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
    fc
      .uniqueArray(
        fc.tuple(
          text.filter((name) => !/^"\d+"$/.test(name)),
          tie('value'),
        ),
        { maxLength: 4, selector: ([name]) => JSON.parse(name) },
      )
      .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join()}}`),
  ),
}))

/** The oracle: text without the white space and escapes that a writer may choose. */
const tokens = (json: string) =>
  json
    .match(/"(?:[^"\\]|\\.)*"|[^"]/g)
    ?.map((one) => (one.startsWith('"') ? JSON.stringify(JSON.parse(one)) : one))
    .join('')

verifies('numbers.verbatim', 'what is parsed exactly is written with the text of each number', () => {
  fc.assert(
    fc.property(anyText, (json) => {
      expect(JSON.stringify(parseExact(json))).toBe(tokens(json))
      expect(JSON.stringify(parseKeeping(json))).toBe(tokens(json))
    }),
    { numRuns: rounds(1_000) },
  )
})

verifies('numbers.verbatim', 'tells from the bytes whether a plain parse keeps the numbers', () => {
  fc.assert(
    fc.property(anyText, (json) => {
      expect(needsExact(encode(json))).toBe(JSON.stringify(JSON.parse(json)) !== tokens(json))
    }),
    { numRuns: rounds(1_000) },
  )
})

/** The oracle: the value of a number's text as an exact fraction. */
function fractionOf(source: string): [bigint, bigint] {
  const [, sign, whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const shift = BigInt(power) - BigInt(part.length)
  const top = BigInt(`${sign}${whole}${part}`)
  return shift >= 0n ? [top * 10n ** shift, 1n] : [top, 10n ** -shift]
}
const isSame = ([a, b]: [bigint, bigint], [c, d]: [bigint, bigint]) => a * d === c * b

verifies(
  'numbers.refused',
  'a number is read with its value or refused by its path, and never altered',
  () => {
    fc.assert(
      fc.property(fc.oneof(number, ordinary), (source) => {
        let value: unknown
        try {
          value = asNumbers(parseExact(`{"rows":[0,{"id":${source}}]}`), 'args')
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          expect(error).toMatchObject({ code: 'invalid_arg', details: { path: 'args.rows[1].id' } })
          const rounded = Number(source)
          expect(Number.isFinite(rounded) && isSame(fractionOf(String(rounded)), fractionOf(source))).toBe(
            false,
          )
          return
        }
        const { id } = (value as { rows: [number, { id: number }] }).rows[1]
        expect(isSame(fractionOf(String(id)), fractionOf(source))).toBe(true)
      }),
      { numRuns: rounds(2_000) },
    )
  },
)

verifies.each('numbers.refused')([
  ['1e400', 'rows[3].id: 1e400 cannot be kept exactly; send it as a string'],
  ['12345678901234567890', 'rows[3].id: 12345678901234567890 cannot be kept exactly; send it as a string'],
  ['1e-400', 'rows[3].id: 1e-400 cannot be kept exactly; send it as a string'],
  [
    '0.1000000000000000055511151231257827',
    'rows[3].id: 0.1000000000000000055511151231257827 cannot be kept exactly; send it as a string',
  ],
  ['9'.repeat(100), `rows[3].id: ${'9'.repeat(60)}… cannot be kept exactly; send it as a string`],
  ['1.0', 1],
  ['1E5', 100_000],
  ['-0', -0],
  ['9007199254740993', 'rows[3].id: 9007199254740993 cannot be kept exactly; send it as a string'],
  ['9007199254740992.0', 9_007_199_254_740_992],
  ['0e99999999999', 0],
])('%s', (source, expected) => {
  const read = () => asNumbers(parseExact(`{"rows":[0,0,0,{"id":${source}}]}`), '')
  if (typeof expected === 'string') expect(read).toThrow(expected)
  else expect(read()).toEqual({ rows: [0, 0, 0, { id: expected }] })
})

it('keeps a member called __proto__', () => {
  const value = asNumbers(parseExact('{"__proto__":{"a":1.0}}'), '')
  expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1}}')
})

it('ends with the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(typeof needsExact(bytes)).toBe('boolean')
    }),
  )
  expect(endOfNumber(encode('123'), 0)).toBe(3)
  expect(endOfNumber(encode('1.50'), 0)).toBe(-4)
})

it('reads a number of a million digits once', () => {
  expect(() => asNumbers(parseExact('9'.repeat(1_000_000)), 'value')).toThrow('cannot be kept exactly')
  expect(() => asNumbers(parseExact(`1${'0'.repeat(1_000_000)}1`), 'value')).toThrow('cannot be kept exactly')
})

verifies.each('numbers.refused')([
  ['1e400', true],
  ['-1E+309', true],
  [`1${'0'.repeat(400)}`, true],
  ['1e308', false],
  ['1e-400', false],
  ['12345678901234567890', false],
  ['"1e400"', false],
])('what goes on as text and is %s, is past the range: %s', (source, isPast) => {
  const value = parseExact(`{"rows":[0,{"id":${source}}]}`)
  const hold = () => checkRange(value, 'args')
  if (isPast) expect(hold).toThrow(/^args\.rows\[1\]\.id: \S+ cannot be kept exactly; send it as a string$/)
  else expect(hold).not.toThrow()
})

/** What a reader makes of text, or that it is not JSON. */
function readBy(read: (text: string) => unknown, json: string): unknown {
  try {
    return read(json)
  } catch (error) {
    if (error instanceof SyntaxError) return 'not JSON'
    throw error
  }
}

it('takes what JSON.parse takes, and nothing else', () => {
  const piece = fc.oneof(
    number,
    fc.constantFrom(...'[]{}:,"\\.eE+-0 ', '"a"', '\\"', '1.', '01', '--1', 'null'),
  )
  const anything = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  const exactly = (json: string) => JSON.parse(JSON.stringify(parseExact(json)))
  fc.assert(
    fc.property(fc.oneof(anything, anyText), (json) => {
      expect(readBy(exactly, json)).toEqual(readBy(JSON.parse, json))
    }),
    { numRuns: rounds(3_000) },
  )
})

verifies(
  'numbers.many',
  'more numbers than may be kept are told from the bytes, and read as JavaScript reads them',
  () => {
    const list = (count: number) => `[${Array(count).fill('1.0').join()}]`
    const max = limits.EXACT_NUMBERS_MAX
    expect(lookAt(encode(list(max)), 2)).toBe('odd')
    expect(lookAt(encode(list(max + 1)), 2)).toBe('many')
    expect(JSON.stringify(parseKeeping(list(max)))).toBe(list(max))
    expect(JSON.stringify(parseKeeping(list(max + 1)))).toBe(list(max + 1).replaceAll('1.0', '1'))
  },
)
