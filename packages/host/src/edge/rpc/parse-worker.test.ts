import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { type ParseOrder, parseBody } from './parse-worker.ts'

/** A body as the thread is given it; what comes after it is none of it. */
function given(text: string | Buffer, change: Partial<ParseOrder> = {}): ParseOrder {
  const body = Buffer.from(text)
  const bytes = new ArrayBuffer(body.length + 8)
  new Uint8Array(bytes).fill(0x5b).set(body)
  return {
    bytes,
    size: body.length,
    maxDepth: 8,
    maxParts: 20,
    maxTextBytes: 20_000,
    maxNameBytes: 16,
    ...change,
  }
}
const found = (text: string | Buffer) => {
  const parsed = parseBody(given(text))
  return 'value' in parsed ? parsed.value : parsed.problem
}
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

verifies.each(['wall.body.run', 'wall.depth'])([
  ['no text', Buffer.from([0x7b, 0xff, 0x7d]), 'utf8'],
  ['half a character', Buffer.from([0x22, 0xe2, 0x82]), 'utf8'],
  ['a list', '[1]', 'list'],
  ['a list behind white space', ' \n\t [', 'list'],
  ['eight levels', nested(8), JSON.parse(nested(8))],
  ['nine levels', nested(9), 'depth'],
  ['a million levels', `{"a":${'['.repeat(1_000_000)}`, 'depth'],
  ['brackets in a text', '{"a":"[[[[[[[[[[{{{{{{{{{{"}', { a: '[[[[[[[[[[{{{{{{{{{{' }],
  ['brackets behind a quote that is text', '{"a":"\\"[[[[[[[[[[\\\\"}', { a: '"[[[[[[[[[[\\' }],
  ['a million numbers', `{"a":[${'0,'.repeat(1_000_000)}0]}`, 'parts'],
  ['a million texts', `{${'"",'.repeat(1_000_000)}`, 'parts'],
  ['twenty parts', `{"a":[${'0,'.repeat(16)}0]}`, { a: Array(17).fill(0) }],
  ['twenty-one parts', `{"a":[${'0,'.repeat(18)}0]}`, 'parts'],
  ['a name of sixteen bytes', `{"${'n'.repeat(16)}":1}`, { [`${'n'.repeat(16)}`]: 1 }],
  ['a name of seventeen', `{"${'n'.repeat(17)}" :1}`, 'name'],
  ['a long text that is not a name', `{"a":"${'n'.repeat(17)}"}`, { a: 'n'.repeat(17) }],
  ['a text of twenty thousand bytes', `{"a":"${'\\u0061'.repeat(3_333)}aa"}`, { a: 'a'.repeat(3_335) }],
  ['a text of one more', `{"a":"${'x'.repeat(20_001)}"}`, 'text'],
  ['an open text', '{"a":"', 'json'],
  ['an open object', '{', 'json'],
  ['two values', '{}{}', 'json'],
  ['nothing', '', 'json'],
  ['a number', ' 7 ', 7],
])('%s: what is too much is told before it is parsed', (_name, text, expected) => {
  expect(found(text)).toEqual(expected)
})

verifies(
  'wall.body.run',
  'long texts are set aside with their place, one byte a character where that does',
  () => {
    const [plain, wide] = ['x'.repeat(4_097), `${'\u00ff'.repeat(5_000)}\ud800\u{1f600}`]
    const text = JSON.stringify({ a: { b: [plain, 'short'] }, wide })
    const parsed = parseBody(given(text))
    if (!('value' in parsed)) throw new Error(parsed.problem)
    expect(parsed.value).toEqual({ a: { b: ['', 'short'] }, wide: '' })
    const [first, second] = parsed.long
    expect(first).toMatchObject({ holder: ['', 'short'], key: '0', isWide: false })
    expect(Buffer.from(first?.bytes ?? new ArrayBuffer(0)).toString('latin1')).toBe(plain)
    expect(second).toMatchObject({ holder: parsed.value, key: 'wide', isWide: true })
    expect(Buffer.from(second?.bytes ?? new ArrayBuffer(0)).toString('utf16le')).toBe(wide)
  },
)
