import { readFileSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { methodRow } from '../methods/index.ts'
import { errorText, isCall, okText, readEnvelope } from './envelope.ts'

const corpus = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/envelopes.json', import.meta.url), 'utf8'),
) as { raw: string[] }

/** What each line of the corpus is, in its order: no JSON, a problem under an id, or a call with or without a row. */
const expected: readonly (
  | readonly ['no JSON' | 'row' | 'no row']
  | readonly [problem: RegExp, id: string]
)[] = [
  ['no JSON'],
  [/^the body/, ''],
  [/^the body/, ''],
  [/^the body/, ''],
  [/^the body/, ''],
  ['no JSON'],
  ['no JSON'],
  ['no JSON'],
  ['row'],
  [/^id must be a string/, ''],
  [/^id must be a string/, ''],
  ['row'],
  [/^id must be a string/, ''],
  [/^window_uuid must/, '1'],
  ['row'],
  ['row'],
  ['no row'],
  ['no row'],
  ['no row'],
  ['no row'],
  ['no row'],
  ['no row'],
  ['no row'],
  ['no row'],
  ['no row'],
  [/^ns must/, '1'],
  [/^args must/, '1'],
  [/^args must/, '1'],
  [/^args must/, '1'],
  ['row'],
  ['row'],
  ['row'],
  ['row'],
  ['row'],
]

describe('the corpus', () => {
  it('has an expectation for each line', () => expect(corpus.raw).toHaveLength(expected.length))

  verifies.each(['design.inherited_names', 'envelope.args'])(
    corpus.raw.map((raw, at) => [raw, expected[at] ?? ['no JSON']] as const),
  )('%j', (raw, [kind, id]) => {
    if (kind === 'no JSON') {
      expect(() => JSON.parse(raw)).toThrow(SyntaxError)
      return
    }
    const read = readEnvelope(JSON.parse(raw))
    if (kind instanceof RegExp) {
      expect(read).toEqual({ id, problem: expect.stringMatching(kind) })
    } else {
      expect(isCall(read)).toBe(true)
      if (isCall(read)) expect(methodRow(read.ns, read.method) !== undefined).toBe(kind === 'row')
    }
  })

  it('reads members of the same name as the last one', () => {
    const read = readEnvelope(JSON.parse(corpus.raw[31] ?? ''))
    expect(read).toMatchObject({ ns: 'tools', method: 'invoke', window_uuid: 'W' })
  })

  it('leaves the prototype of all objects alone', () => {
    readEnvelope(JSON.parse(corpus.raw[30] ?? ''))
    expect(({} as Record<string, unknown>).x).toBeUndefined()
    expect(({} as Record<string, unknown>).y).toBeUndefined()
  })
})

const call = { id: '1', window_uuid: 'W', ns: 'window', method: 'hello', args: {} }
const wrong = [undefined, null, 1, true, [], {}].map((value) => [value] as const)
const tooLong = ['x'.repeat(65)] as const

describe('one field at a time', () => {
  verifies.each('decision.envelope.id_length')([
    ['x'.repeat(256), 'x'.repeat(256), true],
    ['x'.repeat(257), '', false],
    ['', '', true],
    ...wrong.map(([id]) => [id, '', false] as const),
  ] as [unknown, string, boolean][])('id %j is answered as %j', (id, echoed, isOne) => {
    const read = readEnvelope({ ...call, id })
    expect(read.id).toBe(echoed)
    expect(isCall(read)).toBe(isOne)
  })

  verifies.each('envelope.window_uuid')(wrong)('window_uuid %j is none', (window_uuid) => {
    expect(readEnvelope({ ...call, window_uuid })).toMatchObject({
      id: '1',
      problem: expect.stringMatching(/window_uuid/),
    })
  })
  verifies.each('envelope.ns')([...wrong, tooLong])('ns %j is none', (ns) => {
    expect(readEnvelope({ ...call, ns })).toMatchObject({
      id: '1',
      problem: expect.stringMatching(/^ns must/),
    })
  })
  verifies.each('envelope.method')([...wrong, tooLong])('method %j is none', (method) => {
    expect(readEnvelope({ ...call, method })).toMatchObject({
      id: '1',
      problem: expect.stringMatching(/^method must/),
    })
  })
  verifies.each('envelope.args')([[undefined], [null], [1], ['x'], [true], [[]]])(
    'args %j are none',
    (args) => {
      expect(readEnvelope({ ...call, args })).toMatchObject({
        id: '1',
        problem: expect.stringMatching(/^args must/),
      })
    },
  )
  it('takes a name of 64 characters', () => {
    expect(isCall(readEnvelope({ ...call, ns: 'x'.repeat(64), method: 'y'.repeat(64) }))).toBe(true)
  })
})

describe('answers', () => {
  const anyId = fc.string({ unit: 'binary', maxLength: 256 })

  verifies(['envelope.id', 'envelope.success'], 'a success carries id and result, id first', () => {
    fc.assert(
      fc.property(anyId, fc.dictionary(fc.string(), fc.jsonValue()), (id, result) => {
        const text = okText(id, JSON.stringify(result))
        expect(JSON.parse(text)).toEqual({ id, ok: true, result: JSON.parse(JSON.stringify(result)) })
        expect(text.startsWith(`{"id":${JSON.stringify(id)},`)).toBe(true)
      }),
    )
  })

  verifies(['envelope.id', 'envelope.failure'], 'a failure carries id and error, id first', () => {
    fc.assert(
      fc.property(anyId, fc.string(), (id, message) => {
        const text = errorText(id, { code: 'invalid_arg', message })
        expect(JSON.parse(text)).toEqual({ id, ok: false, error: { code: 'invalid_arg', message } })
        expect(text.startsWith(`{"id":${JSON.stringify(id)},`)).toBe(true)
      }),
    )
  })

  verifies.each('envelope.failure.details')([[undefined], [{ limit: 1 }]])('details %j', (details) => {
    const text = errorText('1', { code: 'invalid_arg', message: 'No.', ...(details && { details }) })
    expect(JSON.parse(text).error.details).toEqual(details)
  })
})
