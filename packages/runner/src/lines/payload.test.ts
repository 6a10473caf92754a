import { expect, it } from 'vitest'
import { readPayload } from './payload.ts'

const read = (text: string, id = 'i') => readPayload(Buffer.from(text), id)

it.each([
  ['our own writer', '{"jsonrpc":"2.0","id":"i","result":{"output":{"a":1}}}', '{"a":1}'],
  ['spaces as Python writes them', '{"jsonrpc": "2.0", "id": "i", "result": {"output": [1, 2]}}', '[1, 2]'],
  ['no jsonrpc', '{"id":"i","result":{"output":"}}"}}', '"}}"'],
  ['a carriage return', '{"id":"i","result":{"output":1}}\r', '1'],
])('reads %s', (_, line, json) => {
  const found = read(line)
  expect(found?.json.trim()).toBe(json)
  expect(found?.payload).toEqual(JSON.parse(json))
  expect(JSON.parse(line).result.output).toEqual(found?.payload)
})

it.each([
  ['another id', '{"jsonrpc":"2.0","id":"j","result":{"output":1}}'],
  ['an id of another type', '{"jsonrpc":"2.0","id":1,"result":{"output":1}}'],
  ['output twice', '{"jsonrpc":"2.0","id":"i","result":{"output":1,"output":2}}'],
  ['a failure behind the output', '{"jsonrpc":"2.0","id":"i","result":{"output":1,"success":false}}'],
  ['a second result', '{"jsonrpc":"2.0","id":"i","result":{"output":1},"result":{"x":1}}'],
  ['an error behind the result', '{"jsonrpc":"2.0","id":"i","result":{"output":{}},"error":{"code":{}}}'],
  ['a bracket too many', '{"jsonrpc":"2.0","id":"i","result":{"output":1}}}'],
  ['no payload', '{"jsonrpc":"2.0","id":"i","result":{"output":}}'],
  ['text that is not JSON', 'debug: hello'],
])('leaves %s to the slow path', (_, line) => {
  expect(read(line)).toBeUndefined()
})

it('counts bytes of UTF-8, and leaves what is not UTF-8 to the slow way', () => {
  expect(read('{"id":"i","result":{"output":"ü"}}')?.bytes).toBe(4)
  const broken = Buffer.concat([
    Buffer.from('{"id":"i","result":{"output":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}}'),
  ])
  expect(readPayload(broken, 'i')).toBeUndefined()
})
