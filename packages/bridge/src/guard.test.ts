import { verifies } from '@svc/conformance/verifies'
import { TOGETHER_MAX_CHARS } from '@svc/contract/wire'
import { expect, it } from 'vitest'
import { readMessage } from './guard.ts'

const good = [1, 'tools', 'invoke', '{"a":1}']
const call = { id: 1, ns: 'tools', method: 'invoke', args: '{"a":1}' }
const sparse = (length: number) => {
  const list: unknown[] = []
  list.length = length
  return list
}

it('reads a list of calls', () => {
  expect(readMessage([...good, 2, 'storage', 'get', '{}'])).toEqual({
    calls: [call, { id: 2, ns: 'storage', method: 'get', args: '{}' }],
    refused: [],
  })
})

it('reads names of 64 characters', () => {
  const name = 'x'.repeat(64)
  expect(readMessage([1, name, name, '{}']).calls).toEqual([{ id: 1, ns: name, method: name, args: '{}' }])
})

it('reads a drop', () => {
  expect(readMessage({ svc: 'drop', id: 3 })).toEqual({ calls: [], refused: [], drop: 3 })
})

verifies.each('wall.iframe.guard')([
  ['nothing', undefined],
  ['null', null],
  ['a number', 1],
  ['a text', 'CONSTRUCT'],
  ['an object', {}],
  ['a comlink message', { id: 'x', type: 'CONSTRUCT', path: ['call', 'constructor'], argumentList: [] }],
  ['a map', new Map()],
  ['an empty list', []],
  ['a list of the wrong length', [1, 'tools', 'invoke']],
  ['a list of five', [...good, 2]],
  ['a list over the cap', sparse(1_025 * 4)],
  ['a list with holes as long as can be', sparse(4_294_967_292)],
  ['a drop without an id', { svc: 'drop' }],
  ['a drop of a text', { svc: 'drop', id: '1' }],
])('leaves out %s', (_, data) => {
  expect(readMessage(data)).toEqual({ calls: [], refused: [] })
})

it.each([
  ['a text', '1'],
  ['a fraction', 1.5],
  ['zero', 0],
  ['negative', -1],
  ['too large', 2 ** 53],
  ['no number', Number.NaN],
])('leaves out an item whose id is %s, and keeps the others', (_, id) => {
  expect(readMessage([id, 'tools', 'invoke', '{}', ...good])).toEqual({
    calls: [call],
    refused: [],
  })
})

verifies.each('wall.iframe.text_cap')([
  ['an empty ns', ['', 'get', '{}'], 'ns must be a text of 1 to 64 characters'],
  ['an ns that is no text', [1, 'get', '{}'], 'ns must be a text of 1 to 64 characters'],
  ['a long method', ['storage', 'x'.repeat(65), '{}'], 'method must be a text of 1 to 64 characters'],
  ['an object for arguments', ['storage', 'get', {}], 'args must be the JSON text of an object'],
  ['a list for arguments', ['storage', 'get', '[]'], 'args must be the JSON text of an object'],
  ['a text that is no JSON', ['storage', 'get', '{x}'], 'args must be the JSON text of an object'],
  [
    'a text that ends its envelope and begins another',
    ['tools', 'invoke', '{},"id":"page1","ns":"tools","method":"invoke"},{"args":{}'],
    'args must be the JSON text of an object',
  ],
  [
    'fields beside the arguments',
    ['storage', 'get', '{},"id":"9","x":{}'],
    'args must be the JSON text of an object',
  ],
  ['a space before the arguments', ['storage', 'get', ' {}'], 'args must be the JSON text of an object'],
  ['a space behind the arguments', ['storage', 'get', '{} '], 'args must be the JSON text of an object'],
  [
    'the longest text that is looked into and is not JSON',
    ['storage', 'get', `{${'x'.repeat(TOGETHER_MAX_CHARS - 2)}}`],
    'args must be the JSON text of an object',
  ],
  [
    'as many characters as bytes may be, and one of two bytes',
    ['storage', 'set', `{"v":"é${'x'.repeat(6_291_447)}"}`],
    'args must have at most 6291456 bytes, got 6291457',
  ],
  [
    'characters of three bytes',
    ['storage', 'set', `{"v":"${'€'.repeat(2_500_000)}"}`],
    'args must have at most 6291456 bytes, got 7500008',
  ],
  [
    'arguments as long as those of a run',
    ['agent', 'session.create', `{"v":"${'x'.repeat(7_000_000)}"}`],
    'args must have at most 6291456 bytes, got 7000008',
  ],
  ['no text for arguments', ['storage', 'get', ''], 'args must be the JSON text of an object'],
  [
    'arguments over the cap',
    ['storage', 'set', `{"v":"${'x'.repeat(6_291_456)}"}`],
    'args must have at most 6291456 bytes, got 6291464',
  ],
  [
    'arguments over the cap in bytes',
    ['storage', 'set', `{"v":"${'é'.repeat(3_200_000)}"}`],
    'args must have at most 6291456 bytes, got 6400008',
  ],
])('refuses an item with %s alone', (_, items, problem) => {
  expect(readMessage([7, ...items, ...good])).toEqual({
    calls: [call],
    refused: [{ id: 7, problem }],
  })
})

it('reads as many calls and bytes as may be', () => {
  expect(readMessage(Array.from({ length: 1_024 }, () => good).flat()).calls).toHaveLength(1_024)
  const args = `{"v":"${'x'.repeat(6_291_448)}"}`
  expect(readMessage([1, 'storage', 'set', args]).calls).toHaveLength(1)
})

it('lets a run with attachments be longer', () => {
  const args = `{"v":"${'x'.repeat(7_000_000)}"}`
  expect(readMessage([1, 'agent', 'session.run', args]).calls).toHaveLength(1)
})
