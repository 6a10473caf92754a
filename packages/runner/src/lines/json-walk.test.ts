import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonWalk } from './json-walk.ts'
import { type Spot, spot } from './spot.ts'

const MAX_DEPTH = 6

const open = () => {
  const output = spot()
  const id = spot()
  const result = spot({ output })
  const root = spot({ id, result })
  return { root, id, result, output, walk: new JsonWalk(root, MAX_DEPTH) }
}

/** Walks over bytes that are cut into pieces at some places. */
function walkOver(bytes: Buffer, cuts: readonly number[] = []) {
  const bed = open()
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  let from = 0
  for (const to of places) {
    bed.walk.push(bytes.subarray(from, to))
    from = to
  }
  bed.walk.end()
  const read = ({ from, to }: Spot) => (to === -1 ? undefined : JSON.parse(bytes.toString('utf8', from, to)))
  return { ...bed, read }
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

/** Judges as the parser does, whole and however it is cut. */
function agree(text: string, cuts: readonly number[] = []) {
  // What is no UTF-8 is read as U+FFFD on both sides.
  const bytes = Buffer.from(text)
  const expected = parsed(bytes.toString())
  for (const places of [[], cuts, bytes.length < 200 ? [...bytes.keys()] : []]) {
    const { walk, root, id, result, output, read } = walkOver(bytes, places)
    if (walk.isDeep) {
      expect(!expected || depthOf(expected.value) > MAX_DEPTH).toBe(true)
      continue
    }
    expect([text, walk.state === 'whole']).toEqual([text, expected !== undefined])
    if (!expected) continue
    expect(depthOf(expected.value)).toBeLessThanOrEqual(MAX_DEPTH)
    expect(bytes.toString('utf8', root.from, root.to)).toBe(
      bytes.toString().replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''),
    )
    const fields = expected.value as { id?: unknown; result?: { output?: unknown } } | null
    const isFields = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
    const own = (value: unknown, name: string) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined
    expect(read(id)).toEqual(isFields ? own(fields, 'id') : undefined)
    expect(read(result)).toEqual(own(fields, 'result'))
    expect(read(output)).toEqual(own(own(fields, 'result'), 'output'))
  }
}

/** Node 24 parses a name that is one escape as another one: {"a":"€","\\":"€","\"":{"a":1,"\"":"€"}}. */
const isReadRight = (text: string) => !/"\\."[ \t\r\n]*:/.test(text)

describe('a walk over JSON', () => {
  it.each(
    [
      '0',
      '-0',
      '10',
      '01',
      '-',
      '-01',
      '1.',
      '.5',
      '1.5',
      '1.5.5',
      '1e5',
      '1E+5',
      '1e-',
      '1e',
      '1e5e5',
      '-1.0E-00',
      '+1',
      '0x1',
      '1_0',
      'NaN',
      'true',
      'false',
      'null',
      'tru',
      'truee',
      'nul',
      'True',
      'undefined',
      '',
      ' ',
      '\t\r\n 1 \t',
      '\v1',
      '\u00a01',
      '\ufeff1',
      '1 2',
      '1,2',
      '[]',
      '[ ]',
      '[1]',
      '[1,]',
      '[,1]',
      '[1 2]',
      '[1,2',
      '[',
      ']',
      '[}',
      '[1}',
      '{]',
      '{}',
      '{ }',
      '{"a":1}',
      '{"a":1,}',
      '{,"a":1}',
      '{"a"}',
      '{"a":}',
      '{"a" 1}',
      '{a:1}',
      '{1:1}',
      '{"a":1 "b":2}',
      "{'a':1}",
      '{"a":1}}',
      '{"a"::1}',
      '""',
      '"a',
      '"\\"',
      '"\\\\"',
      '"\\/\\b\\f\\n\\r\\t"',
      '"\\a"',
      '"\\u00e9"',
      '"\\u00g9"',
      '"\\u00e"',
      '"\\U0061"',
      '"\\ud800"',
      '"\n"',
      '"\t"',
      '"\0"',
      '"\x1f"',
      '"\x7f"',
      '"\u2028"',
      '"€😀"',
      '{"id":1,"id":2}',
      '{"\\u0069d":3}',
      '{"id":1,"\\u0069\\u0064":{"id":4}}',
      '{"x":{"id":1}}',
      '{"result":{"output":1},"result":{}}',
      '{"result":{"output":1},"result":3}',
      '{"result":{"output":1,"output":[2]}}',
      '{"result":[{"output":1}]}',
      '{"result":{"result":{"output":1}}}',
      '{"output":1}',
      '[{"id":1}]',
      '{"id":1,"ids":2,"i":3}',
      '{"__proto__":1}',
      '{"id" : "a" , "result" : { "output" : [ ] } }',
      `{"id${'\\u0000'.repeat(20)}":1,"id":2}`,
      '[[[[[[1]]]]]]',
      '[[[[[[[1]]]]]]]',
      '{"a":[[[[[[["}]\\"",{"id":1}]]]]]]],"id":7}',
      '[[[[[[[',
      '[[[[[[[]]]]]]]]',
    ].map((text) => [text]),
  )('says what the parser says: %j', (text) => agree(text))

  it('finds what is behind what nests too deep', () => {
    const text = '{"result":{"output":["}]\\"\\\\",[[[[[["]",{"id":1}]]]]]]]},"id":"a"}'
    const { walk, read, id } = walkOver(
      Buffer.from(text),
      [...text].map((_, at) => at),
    )
    expect([walk.isDeep, walk.state, read(id)]).toEqual([true, 'whole', 'a'])
  })

  it('knows the beginning of JSON from what is none', () => {
    const text = '{"id":"a","result":{"output":[1.5e3,"\\u0061",true,null]}}'
    for (let to = 0; to < text.length; to++)
      expect(walkOver(Buffer.from(text.slice(0, to))).walk.state).toBe('cut')
    expect(walkOver(Buffer.from(`${text}x`)).walk.state).toBe('broken')
  })

  it('looks at every byte of a long text', () => {
    for (const bad of ['\n', '"', '\\x', '\0', '\x1f'])
      for (let at = 60; at < 80; at++) {
        const text = `${'é'.repeat(at)}${bad}${'é'.repeat(300)}`
        for (const shift of [0, 1, 2, 3]) agree(`${' '.repeat(shift)}"${text}"`)
      }
    agree(`"${'x€~ '.repeat(500)}"`)
  })

  const names = fc.oneof(fc.constantFrom('id', 'result', 'output', 'error', '', '"', '\\'), fc.string())
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 1 }),
      fc.double(),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    ),
  })).value
  const written = fc
    .tuple(json, fc.constantFrom(undefined, 1, '\t', '\r\n '))
    .map(([value, white]) => JSON.stringify(value, null, white) ?? 'null')
  const escaped = written.chain((text) =>
    fc
      .array(fc.nat({ max: text.length }), { maxLength: 3 })
      .map((places) =>
        [...text]
          .map((one, at) =>
            places.includes(at) && /[a-z]/.test(one)
              ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
              : one,
          )
          .join(''),
      ),
  )
  const mutated = fc
    .tuple(
      written,
      fc.array(
        fc.tuple(
          fc.nat(),
          fc.constantFrom(
            '',
            '"',
            '\\',
            ',',
            ':',
            '{',
            '}',
            '[',
            ']',
            '0',
            '-',
            '.',
            'e',
            'u',
            't',
            ' ',
            '\n',
            '\0',
            '\\ud800',
            '"id":1,',
          ),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([text, changes]) =>
      changes.reduce((now, [place, put]) => {
        const at = place % (now.length + 1)
        return now.slice(0, at) + put + now.slice(at + (put === '' ? 1 : place % 2))
      }, text),
    )
  const cuts = fc.array(fc.nat(), { maxLength: 6 })

  it.each([
    ['as it is written', written],
    ['with escapes', escaped],
    ['that was changed', mutated],
  ] as const)('agrees with the parser on JSON %s, however it is cut', (_, texts) => {
    fc.assert(fc.property(texts.filter(isReadRight), cuts, agree), { numRuns: rounds(3_000) })
  })

  it('tells how long it is without white space and needless escapes', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(
          'a',
          '/',
          '\\',
          '"',
          '\n',
          '\b',
          '\u000b',
          '\x7f',
          'é',
          '€',
          '😀',
          '\ud800',
          '\udc00',
        ),
      }),
    )
    const asEscapes = (value: string) =>
      [...Array(value.length).keys()]
        .map((at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join('')
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), fc.boolean(), cuts, (texts, asHex, places) => {
        const list = texts.map((one) =>
          asHex ? `"${asEscapes(one)}"` : JSON.stringify(one).replaceAll('/', '\\/'),
        )
        const bytes = Buffer.from(`{"result":{"output": [ ${list.join(' , ')} ] }}`)
        const { output } = walkOver(bytes, places)
        const compact = JSON.stringify(JSON.parse(bytes.toString()).result.output)
        expect(output.to - output.from - output.spare).toBe(Buffer.byteLength(compact))
      }),
      { numRuns: rounds(3_000) },
    )
  })
})
