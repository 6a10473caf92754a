import { errorBody, errorText, okText, type RpcRequest, refuse } from '@svc/contract'
import { expect, it } from 'vitest'
import { countSucceeded, readCalls } from './answers.ts'

const call = (id: string): RpcRequest => ({ id, window_uuid: 'W', ns: 'storage', method: 'get', args: {} })
const failed = (id: string) => errorText(id, errorBody(refuse('internal_error')))

it.each([
  ['a call that succeeded', ['1'], okText('1', '{}'), 1],
  ['a call that failed', ['1'], failed('1'), 0],
  ['a batch of which each call failed', ['1', '2'], `${failed('2')}\n${failed('1')}\n`, 0],
  ['a batch of which one succeeded', ['1', '2'], `${okText('2', '{"ok":false}')}\n${failed('1')}\n`, 1],
  [
    'a batch with the answer of a call that does not count',
    ['1'],
    `${okText('3', '{}')}\n${failed('1')}\n`,
    0,
  ],
])('counts what succeeded of %s', (_, ids, text, count) => {
  expect(countSucceeded(ids.map(call), text)).toBe(count)
})

it.each([
  ['one call', JSON.stringify(call('1')), [call('1')]],
  ['a batch', JSON.stringify([call('1'), call('2')]), [call('1'), call('2')]],
  ['a body that is not JSON', '{"id":', []],
  ['what is not a call', '[null, {}]', []],
  ['no body', '', []],
])('reads the calls of %s', (_, body, calls) => {
  expect(readCalls(body)).toEqual(calls)
})
