import type { EventHead } from '@svc/bridge/testing'
import { expect, it } from 'vitest'
import { eventFilter } from './event-filter.ts'

const EVENTS = [
  'retry: 1000\nid: 7\n\n',
  ': a comment\n\n',
  'id: 8\ndata: {"type":"rpc.stream","seq":1}\n\n',
  'id: 9\ndata: {"type":"rpc.stream","seq":2,"text":"ü"}\n\n',
  'event: stream\ndata: {"type":"rpc.stream","seq":2}\n\n',
  'event: calls\ndata:\n\n',
]
const isSecond = (event: EventHead) => event.type === 'rpc.stream' && event.seq === 2

it.each([1, 2, 7, 1_000])('leaves out whole events alone, in pieces of %i bytes', (size) => {
  const filter = eventFilter(isSecond)
  const bytes = Buffer.from(EVENTS.join(''))
  const left: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size)
    left.push(Buffer.from(filter(bytes.subarray(at, at + size))))
  expect(Buffer.concat(left).toString()).toBe(EVENTS.toSpliced(3, 1).join(''))
})
