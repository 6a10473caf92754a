import { expect, it, vi } from 'vitest'
import { createEventHub, readEvent } from './events.ts'

const title = (text: string) => ({ type: 'title_changed' as const, window_uuid: 'w', title: text })
const tick = () => Promise.resolve()

it('keeps events for the first listener of their type, in order', async () => {
  const hub = createEventHub()
  hub.emit('title_changed', title('one'))
  hub.emit('close_view', { reason: null })
  hub.emit('title_changed', title('two'))
  const heard: string[] = []
  hub.on('title_changed', (event) => heard.push(event.title))
  expect(heard).toEqual([])
  await tick()
  hub.emit('title_changed', title('three'))
  expect(heard).toEqual(['one', 'two', 'three'])
  const late: string[] = []
  hub.on('title_changed', (event) => late.push(event.title))
  await tick()
  expect(late).toEqual([])
})

it('keeps 256 at most, the newest', async () => {
  const hub = createEventHub()
  for (let at = 0; at < 300; at++) hub.emit('title_changed', title(String(at)))
  const heard: string[] = []
  hub.on('title_changed', (event) => heard.push(event.title))
  await tick()
  expect([heard.length, heard[0], heard.at(-1)]).toEqual([256, '44', '299'])
})

it('keeps early events for the next listener when the first one went away at once', async () => {
  const hub = createEventHub()
  hub.emit('title_changed', title('one'))
  hub.emit('title_changed', title('two'))
  const heard: string[] = []
  hub.on('title_changed', (event) => heard.push(`gone ${event.title}`))()
  await tick()
  hub.emit('title_changed', title('three'))
  const stop = hub.on('title_changed', (event) => {
    heard.push(event.title)
    if (heard.length === 2) stop()
  })
  await tick()
  hub.on('title_changed', (event) => heard.push(event.title))
  await tick()
  expect(heard).toEqual(['one', 'two', 'three'])
})

it('keeps early events for the app while the SDK itself hears them', async () => {
  const hub = createEventHub()
  const tapped: unknown[] = []
  const stop = hub.tap((type, payload) => tapped.push([type, payload]))
  hub.emit('title_changed', title('one'))
  stop()
  stop()
  hub.emit('title_changed', title('two'))
  const heard: string[] = []
  hub.on('title_changed', (event) => heard.push(event.title))
  await tick()
  expect([tapped, heard]).toEqual([[['title_changed', title('one')]], ['one', 'two']])
})

it('stops one of two listeners that are the same function', () => {
  const hub = createEventHub()
  const heard: string[] = []
  const listener = (event: { title: string }) => heard.push(event.title)
  const stop = hub.on('title_changed', listener)
  hub.on('title_changed', listener)
  hub.emit('title_changed', title('one'))
  stop()
  hub.emit('title_changed', title('two'))
  expect(heard).toEqual(['one', 'one', 'two'])
})

it('stops when asked to', () => {
  const hub = createEventHub()
  const heard: string[] = []
  const stop = hub.on('title_changed', (event) => heard.push(event.title))
  stop()
  stop()
  hub.emit('title_changed', title('x'))
  expect(heard).toEqual([])
})

it('lets every listener hear when one throws', () => {
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  const hub = createEventHub()
  const heard: string[] = []
  hub.on('title_changed', () => {
    throw new Error('mine')
  })
  hub.on('title_changed', (event) => heard.push(event.title))
  hub.emit('title_changed', title('x'))
  expect([heard, report.mock.calls.length]).toEqual([['x'], 1])
  vi.unstubAllGlobals()
})

it.each([
  ['{"type":"reset"}', 'reset'],
  ['{"type":5}', undefined],
  ['{}', undefined],
  ['null', undefined],
  ['[', undefined],
])('reads %s as an event of type %s', (text, type) => {
  expect(readEvent(text)?.type).toBe(type)
})
