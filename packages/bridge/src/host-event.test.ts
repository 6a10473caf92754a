import { afterEach, expect, it, vi } from 'vitest'
import { createEmitter } from './emitter.ts'
import { readHostEvent } from './host-event.ts'

const frame = (done: boolean, text = 'é') =>
  `{"type":"rpc.stream","window_uuid":"w","stream_id":"strm_1","seq":17,"payload":{"event":"sse","text":${JSON.stringify(text)}},"done":${done}}`

afterEach(() => vi.restoreAllMocks())

it.each([
  { text: '{"type":"tools.changed","window_uuid":"w"}', head: { type: 'tools.changed', window_uuid: 'w' } },
  {
    text: '{"type":"title_changed","window_uuid":"w","title":"\\"type\\":\\"x\\""}',
    head: { type: 'title_changed', window_uuid: 'w' },
  },
  {
    text: '{"type":"tool_job","window_uuid":null,"job_id":"j"}',
    head: { type: 'tool_job', window_uuid: null },
  },
  { text: frame(false), head: { window_uuid: 'w', stream_id: 'strm_1', seq: 17, done: false } },
  { text: frame(true), head: { window_uuid: 'w', stream_id: 'strm_1', seq: 17, done: true } },
  {
    text: frame(false, ',"done":true}'),
    head: { window_uuid: 'w', stream_id: 'strm_1', seq: 17, done: false },
  },
  // Fields in another order.
  { text: '{"window_uuid":"w","type":"close_view"}', head: { type: 'close_view', window_uuid: 'w' } },
  {
    text: '{"type":"rpc.stream","window_uuid":"w","seq":3,"stream_id":"s","payload":{},"done":true}',
    head: { type: 'rpc.stream', window_uuid: 'w', stream_id: 's', seq: 3, done: true },
  },
])('routes %j as a parser would', ({ text, head }) => {
  const event = readHostEvent(text)
  expect(event.head).toMatchObject(head)
  expect(event.read()).toEqual(JSON.parse(text))
})

it.each(['', 'frame', '{"type":"rpc.stream","window_uuid":"w"'])('throws for %j', (text) => {
  expect(() => readHostEvent(text)).toThrow(SyntaxError)
})

it('parses a frame for nobody but listeners, and once for all of them', () => {
  const errors: unknown[] = []
  const emitter = createEmitter<{ 'rpc.stream': (event: unknown) => void }>((error) => errors.push(error))
  const parse = vi.spyOn(JSON, 'parse')
  const route = (text: string) => {
    const { head, read } = readHostEvent(text)
    emitter.emitRead(head.type, read)
  }
  for (let count = 0; count < 100; count += 1) route(frame(count === 99))
  expect(parse).toHaveBeenCalledTimes(0)

  const heard: unknown[] = []
  const stops = [1, 2].map(() => emitter.on('rpc.stream', (event) => heard.push(event)))
  route(frame(false))
  expect(parse).toHaveBeenCalledTimes(1)
  expect(heard).toEqual([parse.mock.results[0]?.value, parse.mock.results[0]?.value])

  for (const stop of stops) stop()
  route(frame(false))
  expect(parse).toHaveBeenCalledTimes(1)
  expect(errors).toEqual([])
})

it('parses what was held when it is told to a listener', () => {
  const emitter = createEmitter<{ 'rpc.stream': (event: unknown) => void }>(() => {})
  const parse = vi.spyOn(JSON, 'parse')
  const tell = emitter.hold()
  const { head, read } = readHostEvent(frame(true))
  emitter.emitRead(head.type, read)
  expect(parse).toHaveBeenCalledTimes(0)
  const heard: unknown[] = []
  emitter.on('rpc.stream', (event) => heard.push(event))
  tell()
  expect(heard).toEqual([JSON.parse(frame(true))])
})

it('tells of an event whose head is whole and whose rest is not JSON', () => {
  const errors: unknown[] = []
  const emitter = createEmitter<{ title_changed: (event: unknown) => void }>((error) => errors.push(error))
  emitter.on('title_changed', () => {})
  const { head, read } = readHostEvent('{"type":"title_changed","window_uuid":"w","title":')
  emitter.emitRead(head.type, read)
  expect(errors).toEqual([expect.any(SyntaxError)])
})
