import { expect, it } from 'vitest'
import { readInterface } from './interfaces.ts'

const STDIO = 'packages/contract/src/wire/stdio.ts'

it('reads the fields of an interface on one line each, and its comment', () => {
  const { doc, members } = readInterface(STDIO, 'CancelNotification')
  expect(doc).toBe('Host → plugin: stop working on a call.')
  expect([...members]).toEqual([
    ['jsonrpc', '"2.0"'],
    ['method', "'cancel'"],
    ['params', '{id: LineId, reason?: string}'],
  ])
})

it('marks what may be left out', () => {
  expect([...readInterface(STDIO, 'CallContext').members.keys()]).toEqual([
    'invoke_id',
    'sampling_token?',
    'traceparent?',
  ])
})

it('says which interface is missing', () => {
  expect(() => readInterface(STDIO, 'Nothing')).toThrow(`${STDIO} has no interface Nothing`)
})
