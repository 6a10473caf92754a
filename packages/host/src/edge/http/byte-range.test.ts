import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { namesTag, readRange } from './serve-pieces.ts'

verifies.each('served.ranges')([
  [null, null],
  ['bytes=0-9', { from: 0, to: 10 }],
  ['bytes=5-', { from: 5, to: 100 }],
  ['bytes=99-99', { from: 99, to: 100 }],
  ['bytes=90-1000', { from: 90, to: 100 }],
  ['bytes=0-99999999999999999999999', { from: 0, to: 100 }],
  ['bytes=-10', { from: 90, to: 100 }],
  ['bytes=-1000', { from: 0, to: 100 }],
  ['bytes= 1 - 2 ', { from: 1, to: 3 }],
  ['bytes=100-', 'outside'],
  ['bytes=99999999999999999999999-', 'outside'],
  ['bytes=-0', 'outside'],
  // What is not understood, and several ranges, are as if nothing were asked.
  ['bytes=9-5', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['bytes=a-b', null],
  ['bytes=0x1-2', null],
  ['items=0-9', null],
  ['', null],
])('%j of 100 bytes is %j', (header, range) => {
  expect(readRange(header, 100)).toEqual(range)
})

verifies.each('served.ranges')([
  ['bytes=0-', 'outside'],
  ['bytes=-1', 'outside'],
  [null, null],
])('%j of no bytes is %j', (header, range) => {
  expect(readRange(header, 0)).toEqual(range)
})

verifies.each('served.conditional')([
  [null, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match %j names "a": %j', (header, named) => {
  expect(namesTag(header, '"a"')).toBe(named)
})
