import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { createEventHub } from './events.ts'
import { createStreams } from './streams.ts'

function bed() {
  const clock = frozenClock()
  const hub = createEventHub()
  const streams = createStreams(hub.tap, clock)
  return {
    clock,
    hub,
    send: (stream_id: string, seq: number) => hub.emit('rpc.stream', { stream_id, seq }),
    /** Follows; what it hears, and how to stop. */
    follow(id: string) {
      const heard: (number | 'lost')[] = []
      const stop = streams.follow(id, { frame: ({ seq }) => heard.push(seq), lost: () => heard.push('lost') })
      return { heard, stop }
    },
  }
}

verifies(
  'design.stream.early',
  'keeps the frames of a stream that nobody follows yet, for the first who does',
  () => {
    const { send, follow } = bed()
    send('a', 1)
    send('b', 1)
    send('a', 2)
    const first = follow('a')
    expect(first.heard).toEqual([1, 2])
    send('a', 3)
    const second = follow('a')
    send('a', 4)
    first.stop()
    first.stop()
    send('a', 5)
    expect([first.heard, second.heard, follow('b').heard]).toEqual([[1, 2, 3, 4], [4, 5], [1]])
    second.stop()
    send('a', 6)
    expect(follow('a').heard).toEqual([6])
  },
)

const count = (times: number) => Array.from({ length: times }, (_, at) => at + 1)
const many = (times: number) => count(times).map((seq) => ['a', seq] as const)
const others = (times: number) => count(times).map((n) => [`other ${n}`, 1] as const)
type Steps = readonly (readonly [stream: string, seq: number] | number)[]

verifies.each('design.stream.early')<[string, Steps, number[]]>([
  ['256 of a stream', many(256), count(256)],
  ['the newest of more', many(300), count(300).slice(44)],
  ['eight streams', [...many(1), ...others(7)], [1]],
  ['not the oldest of nine', [...many(1), ...others(8)], []],
  ['it for less than 30 s', [['a', 1], 29_999], [1]],
  ['nothing after 30 s, counted from the first', [['a', 1], 20_000, ['a', 2], 10_000], []],
])('keeps %s', (_, steps, kept) => {
  const { clock, send, follow } = bed()
  for (const step of steps) {
    if (typeof step === 'number') clock.sleep(step)
    else send(...step)
  }
  expect(follow('a').heard).toEqual(kept)
  expect(follow('a').heard).toEqual([])
})

it('tells all who follow that events may be lost', () => {
  const { hub, follow } = bed()
  const all = [follow('a'), follow('a'), follow('b')]
  const gone = follow('c')
  gone.stop()
  hub.emit('reset')
  expect([...all, gone].map(({ heard }) => heard)).toEqual([['lost'], ['lost'], ['lost'], []])
})

it('leaves what nobody follows to the listeners of the app, and takes from them what is followed', async () => {
  const { hub, send, follow } = bed()
  send('raw', 1)
  follow('a')
  send('a', 1)
  send('raw', 2)
  const heard: unknown[] = []
  hub.on('rpc.stream', ({ stream_id, seq }) => heard.push([stream_id, seq]))
  await Promise.resolve()
  send('a', 2)
  expect(heard).toEqual([
    ['raw', 1],
    ['raw', 2],
    ['a', 2],
  ])
})

it('keeps no room for frames that another event needs', async () => {
  const { hub, send } = bed()
  hub.emit('title_changed', { title: 'kept' })
  for (const seq of count(600)) send('raw', seq)
  const heard: unknown[] = []
  hub.on('title_changed', ({ title }) => heard.push(title))
  hub.on('rpc.stream', ({ seq }) => heard.push(seq))
  await Promise.resolve()
  expect([heard[0], heard.length, heard.at(-1)]).toEqual(['kept', 256, 600])
})
