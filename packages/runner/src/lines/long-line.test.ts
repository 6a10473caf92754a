import { rounds } from '@svc/conformance/rounds'
import { limits } from '@svc/contract/limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openLongLines } from './long-line.ts'
import { textOf } from './pieces.ts'

/** A line as it comes in pieces of some bytes; what is behind `keep` is not kept. */
function lineOf(text: string, { every = 7, keep = Number.POSITIVE_INFINITY } = {}) {
  const lines = openLongLines(limits)
  const bytes = Buffer.from(text)
  const pieces: Uint8Array[] = []
  for (let at = 0; at < Math.min(keep, bytes.length); at += every)
    pieces.push(bytes.subarray(at, Math.min(at + every, keep)))
  for (const piece of pieces) lines.push(piece)
  return lines.end(pieces, bytes.length)
}

const long = 'x'.repeat(30_000)

describe('the header of a long line', () => {
  it.each([
    ['a reply', '{"jsonrpc":"2.0","id":"a","result":{"id":"b","method":"c"}}', { id: 'a', answers: true }],
    ['a reply that ends with its id', ' {"result":[{"id":1}],\t"id" : "a" } ', { id: 'a', answers: true }],
    ['an error', '{"id":7,"error":{}}', { id: 7, answers: true }],
    ['a request', '{"method":"x","id":null}', { id: null, method: 'x', answers: false }],
    ['a notification', '{"method":"progress","params":{"id":"a"}}', { method: 'progress', answers: false }],
    ['an id twice', '{"id":"a","id":"b"}', { id: 'b', answers: false }],
    ['names with escapes', '{"\\u0069d":"a","m\\u0065thod":"b"}', { id: 'a', method: 'b', answers: false }],
    ['an id with escapes', '{"id":"\\u0061\\"}"}', { id: 'a"}', answers: false }],
    ['an id that is an object', '{"id":{"id":"a"}}', { id: { id: 'a' }, answers: false }],
    ['brackets in strings', '{"x":"}]{[\\\\","id":1}', { id: 1, answers: false }],
    ['words that are not keys', '{"x":"id","y":"result","id":2}', { id: 2, answers: false }],
    ['an id that is too long', `{"id":"${'a'.repeat(2_000)}"}`, { id: null, answers: false }],
    ['nothing inside', '{}', { answers: false }],
    ['a list', '[{"id":"a"}]', undefined],
    ['a number', '12', undefined],
  ])('tells %s', (_, text, header) => {
    expect(lineOf(text)).toMatchObject({ is: 'json', header })
  })

  it.each([
    ['text', 'debug {"id":"a"}', undefined],
    ['nothing', '', undefined],
    ['an id that is not JSON', '{"id":abc}', { answers: false }],
    ['an answer without its end', '{"id":"a","result":{"output":[1,', { id: 'a', answers: true }],
    ['an answer with more behind it', '{"id":"a","result":{}}}', { id: 'a', answers: true }],
  ])('tells noise: %s', (_, text, header) => {
    expect(lineOf(text)).toMatchObject({ is: 'noise', header })
  })

  it.each([
    ['a result that is cut', '{"id":"a","result":{"output":[1,', { id: 'a', answers: true }],
    ['a result that has not begun', '{"id":"a","result":', { id: 'a', answers: true }],
    ['an id that is cut', '{"result":1,"id":"a', { answers: true }],
  ])('tells by its beginning %s', (_, text, header) => {
    expect(lineOf(`${text}${long}`, { keep: text.length })).toMatchObject({ is: 'cut', header })
  })

  it('sees what a parser sees', () => {
    const key = fc.oneof(fc.constantFrom('id', 'method', 'result', 'error', '{', '"', '\\'), fc.string())
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), fc.nat({ max: 2 }), (message, spaces) => {
        const text = JSON.stringify(message, null, spaces)
        // A longer id is none of ours and is told as null.
        fc.pre(text.length < 1_000)
        const own = (name: string) => (Object.hasOwn(message, name) ? { [name]: message[name] } : {})
        expect(lineOf(text).header).toEqual({
          ...JSON.parse(JSON.stringify({ ...own('id'), ...own('method') })),
          answers: Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'),
        })
      }),
      { numRuns: rounds(1_000) },
    )
  })
})

describe('a reply on a long line', () => {
  it.each<[name: string, fields: { readonly error: unknown; readonly more?: string }, error: unknown]>([
    ['a short error', { error: { code: 1, message: 'no', data: [long.slice(0, 100)] } }, undefined],
    [
      'a long message',
      { error: { message: long, code: 3, data: { name: 'tool_timeout' } } },
      { code: 3, message: long.slice(0, 4_000), data: { name: 'tool_timeout' } },
    ],
    [
      'long data',
      { error: { data: { more: long, name: 'x' }, message: 'no' } },
      { message: 'no', data: { name: 'x' } },
    ],
    ['a message of another type', { error: { message: [long], code: 'x' } }, { code: 'x', data: {} }],
    ['an error that is text', { error: '\u20ac\n'.repeat(10_000) }, '\u20ac\n'.repeat(2_000)],
    ['no error', { error: null, more: long }, null],
  ])('says of a failure what is short of it: %s', (_, fields, error = fields.error) => {
    for (const every of [1, 4_096])
      expect(lineOf(JSON.stringify({ id: 'a', ...fields }), { every }).reply().message).toEqual({
        id: 'a',
        error,
      })
  })

  it.each([
    ['text', 'é'.repeat(20_000), 'é'.repeat(4_000)],
    ['anything else', [long], JSON.stringify([long]).slice(0, 4_000)],
    ['what is short', { message: 'no' }, { message: 'no' }],
  ])('says why a tool failed: %s', (_, error, told) => {
    const text = JSON.stringify({ id: 'a', result: { success: false, error, output: long } })
    expect(lineOf(text).reply().message).toEqual({ id: 'a', result: { success: false, error: told } })
  })

  it.each([
    ['an object', `{"output":{"a":"${long}"}}`, {}],
    ['a list', `["${long}"]`, null],
    ['text', `"${long}"`, null],
    ['nothing', 'null', null],
    ['a failure that is none', `{"success":"false","output":"${long}"}`, { success: 'false' }],
  ])('has a result that is %s', (_, result, told) => {
    const { message, result: found } = lineOf(`{"id":"a","result": ${result} }`).reply()
    expect(message.result).toEqual(told)
    expect(textOf(found?.pieces ?? [])).toBe(result)
  })

  it('has its output as it was written, the last where there are two', () => {
    const text = `{"result":{"output":1,"output": [ 1.0, "\\u20ac\\/" ] },"id":"a"}`
    for (let every = 1; every < text.length; every++) {
      const { output } = lineOf(text, { every }).reply()
      expect(textOf(output?.pieces ?? [])).toBe('[ 1.0, "\\u20ac\\/" ]')
      expect(output).toMatchObject({ bytes: 19, compactBytes: '[1.0,"€/"]'.length + 2 })
    }
  })

  it('forgets the line before it', () => {
    const lines = openLongLines(limits)
    const first = Buffer.from('{"id":"a","result":{"output":1}}')
    const second = Buffer.from('{"method":"x"}')
    lines.push(first)
    lines.end([first], first.length)
    lines.push(second)
    expect(lines.end([second], second.length).header).toEqual({ method: 'x', answers: false })
    lines.push(first.subarray(0, 9))
    lines.drop()
    lines.push(second)
    expect(lines.end([second], second.length)).toMatchObject({ is: 'json', header: { method: 'x' } })
  })
})
