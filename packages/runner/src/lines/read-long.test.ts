import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonWalk } from './json-walk.ts'
import { readLong, readPayloadInTurns } from './read-long.ts'
import { spot } from './spot.ts'

/** Reads JSON that lies in pieces. */
function read(bytes: Buffer, max: number, every = 5) {
  const root = spot()
  const walk = new JsonWalk(root, 100)
  walk.push(bytes)
  walk.end()
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += every) pieces.push(bytes.subarray(at, at + every))
  return readLong({ pieces, bytes: bytes.length, compactBytes: bytes.length - root.spare }, max)
}

it('gives the text as it is, and parses it when it is asked for the value', async () => {
  const json = '{ "a": [1.0, "\\u20ac€"] }'
  const found = await read(Buffer.from(json), 100)
  expect(found).toEqual({ ok: true, json, bytes: json.length + 2, payload: { a: [1, '€€'] } })
  expect('payload' in found && found.payload).toBe('payload' in found && found.payload)
})

it.each([
  ['spaces', '[ 1 ]', '[1]'],
  ['spaces in texts', '[ " \\t" ]', '[" \\t"]'],
  ['letters', '"\\u0041\\/\\u00e9\\u20AC"', '"A/é€"'],
  ['a pair', '"\\ud83d\\ude00\\uD83D\\uDE00"', '"😀😀"'],
  ['lone halves', '["\\uD83D","\\uDE00\\u0041"]', '["\\ud83d","\\ude00A"]'],
  ['needed escapes', '[ "\\n\\"\\\\\\u000A\\u0022\\u001F" ]', '["\\n\\"\\\\\\n\\"\\u001f"]'],
  ['numbers', '[ 1.0, -0, 1e400 ]', '[1.0,-0,1e400]'],
  ['names', '{ "\\u0061" : 1 }', '{"a":1}'],
])('writes what is too long without white space and needless escapes: %s', async (_, text, compact) => {
  const size = Buffer.byteLength(compact)
  expect(await read(Buffer.from(text), size)).toMatchObject({ ok: true, json: compact, bytes: size })
  expect(await read(Buffer.from(text), size - 1)).toEqual({ tooLarge: size })
})

it('says that a result is not UTF-8, which a link reads as it came', async () => {
  const bytes = Buffer.concat([Buffer.from('"'), Buffer.alloc(200_000, 0xff), Buffer.from('€"')])
  expect(await read(bytes, 600_005, 4_096)).toEqual({ damaged: bytes })
  expect(await readPayloadInTurns(bytes, { maxDepth: 1 })).toMatchObject({
    json: bytes.toString(),
    bytes: 600_005,
  })
  const mark = Buffer.from('"\ufeff\ufeff"')
  expect(await read(mark, 100)).toMatchObject({ json: '"\ufeff\ufeff"' })
})

it('writes as JSON.stringify does', async () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\ud800', '\udc00', '"', '\\', '/', '\n', ' '),
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
  })
  const escaped = (one: string) =>
    `"${[...Array(one.length).keys()].map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.boolean(), async (texts, asHex) => {
      const json = asHex ? `[ ${texts.map(escaped).join(' ,')} ]` : JSON.stringify(texts, null, 1)
      const compact = JSON.stringify(texts)
      const size = Buffer.byteLength(compact)
      expect(await read(Buffer.from(json), size)).toMatchObject({
        json: Buffer.byteLength(json) > size ? compact : json,
      })
    }),
    { numRuns: rounds(300) },
  )
})

it.each([
  ['a value', '[ 1.0 ]', [1]],
  ['text', `"${'é'.repeat(200_000)}"`, 'é'.repeat(200_000)],
  ['as many levels as there may be', '[[[]]]', [[[]]]],
])('takes %s that somebody else found', async (_, json, payload) => {
  const found = await readPayloadInTurns(Buffer.from(json), { maxDepth: 3 })
  expect(found).toEqual({ ok: true, json, bytes: Buffer.byteLength(json), payload })
})

it.each(['', '[', '[1]]', '[1,]', `"${'x'.repeat(200_000)}`, '[[[[]]]]', `[${' '.repeat(200_000)}}`])(
  'takes none for what is not JSON or too deep: %.10j',
  async (text) => expect(await readPayloadInTurns(Buffer.from(text), { maxDepth: 3 })).toBeNull(),
)

it('takes as many values and names as there may be', async () => {
  const bytes = Buffer.from('{"a":[1,2]}')
  expect(await readPayloadInTurns(bytes, { maxDepth: 3, maxParts: 5 })).toMatchObject({ ok: true })
  expect(await readPayloadInTurns(bytes, { maxDepth: 3, maxParts: 4 })).toBeNull()
})
