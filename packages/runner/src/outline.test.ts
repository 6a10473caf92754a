import fc from 'fast-check'
import { expect, it } from 'vitest'
import { outline } from './outline.ts'

const told = (text: string) => outline(Buffer.from(text))

it.each([
  ['a reply', '{"jsonrpc":"2.0","id":"a","result":{"id":"b","method":"c"}}', { id: 'a', answers: true }],
  ['a reply that ends with its id', ' {"result":[{"id":1}],\t"id" : "a" } ', { id: 'a', answers: true }],
  ['an error', '{"id":7,"error":{}}', { id: 7, answers: true }],
  ['a request', '{"method":"x","id":null}', { id: null, method: 'x', answers: false }],
  ['a notification', '{"method":"progress","params":{"id":"a"}}', { method: 'progress', answers: false }],
  ['an id twice', '{"id":"a","id":"b"}', { id: 'b', answers: false }],
  ['an id with escapes', '{"id":"\\u0061\\"}"}', { id: 'a"}', answers: false }],
  ['an id that is an object', '{"id":{"id":"a"}}', { id: { id: 'a' }, answers: false }],
  ['brackets in strings', '{"x":"}]{[\\\\","id":1}', { id: 1, answers: false }],
  ['words that are not keys', '{"x":"id","y":"result","id":2}', { id: 2, answers: false }],
  ['a result that is cut off', '{"id":"a","result":{"output":[1,', { id: 'a', answers: true }],
  ['an id that is cut off', '{"result":1,"id":"a', { answers: true }],
  ['an id that is too long', `{"id":"${'a'.repeat(2_000)}"}`, { id: null, answers: false }],
  ['an id that is not JSON', '{"id":abc}', { id: null, answers: false }],
  ['nothing inside', '{}', { answers: false }],
  ['a list', '[{"id":"a"}]', undefined],
  ['text', 'debug {"id":"a"}', undefined],
  ['nothing', '', undefined],
])('tells %s', (_, text, expected) => {
  expect(told(text)).toEqual(expected)
})

it('sees what a parser sees', () => {
  const key = fc.oneof(fc.constantFrom('id', 'method', 'result', 'error', '{', '"', '\\'), fc.string())
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), fc.nat({ max: 2 }), (message, spaces) => {
      const text = JSON.stringify(message, null, spaces)
      // A longer id is none of ours and is told as null.
      fc.pre(text.length < 1_000)
      const own = (name: string) => (Object.hasOwn(message, name) ? { [name]: message[name] } : {})
      expect(told(text)).toEqual({
        ...JSON.parse(JSON.stringify({ ...own('id'), ...own('method') })),
        answers: Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'),
      })
    }),
    { numRuns: 1_000 },
  )
})
