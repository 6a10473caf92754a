import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { createEventStream } from './event-stream.ts'

interface Connection {
  readonly query: string
  readonly lastId: string | null
  readonly signal: AbortSignal
  /** Answers with a stream. */
  open(): void
  write(text: string): void
  end(): void
  answer(response: Response): void
  fail(): void
}

const settled = () => new Promise<void>((done) => setImmediate(done))

function stream(jobs = false) {
  const clock = frozenClock()
  const connections: Connection[] = []
  const told: string[] = []
  const events = createEventStream({
    url: '/events',
    jobs,
    onCalls: () => told.push('calls'),
    clock,
    random: () => 0.999,
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        let body: ReadableStreamDefaultController<Uint8Array> | undefined
        const signal = init?.signal ?? AbortSignal.abort()
        signal.addEventListener('abort', () => {
          reject(signal.reason)
          body?.error(signal.reason)
        })
        connections.push({
          query: decodeURIComponent(String(url).replace('/events?', '')),
          lastId: new Headers(init?.headers).get('last-event-id'),
          signal,
          open: () =>
            resolve(
              new Response(
                new ReadableStream<Uint8Array>({
                  start(controller) {
                    body = controller
                  },
                }),
              ),
            ),
          write: (text) => body?.enqueue(new TextEncoder().encode(text)),
          end: () => body?.close(),
          answer: resolve,
          fail: () => reject(new TypeError('Failed to fetch')),
        })
      }),
    onEvent(text) {
      told.push(text)
      if (text.startsWith('{')) events.passed(JSON.parse(text))
    },
    onReset: () => told.push('reset'),
    onLost: () => told.push('lost'),
    onBack: () => told.push('back'),
    onRefused: (status) => told.push(`refused ${status}`),
  })
  return { clock, connections, told, events }
}

it('asks for all jobs of the user where the page wants them', async () => {
  const { connections, events } = stream(true)
  events.watch(['a'])
  await settled()
  expect(connections.map(({ query }) => query)).toEqual(['windows=a&jobs=1'])
})

verifies(
  'design.events.multiplexed',
  'follows the windows of the page over one connection, once a tick',
  async () => {
    const { connections, told, events } = stream()
    events.watch(['a'])
    events.watch(['a', 'b'])
    await settled()
    expect(connections.map(({ query, lastId }) => [query, lastId])).toEqual([['windows=a,b', null]])
    connections[0]?.open()
    await settled()
    connections[0]?.write(
      'id: 4\ndata: one\n\ndata: frame\n\nevent: reset\ndata: {}\n\nevent: other\ndata: x\n\n',
    )
    await settled()
    // The first reset: the windows were followed before a place was known.
    expect(told).toEqual(['reset', 'one', 'frame', 'reset'])
  },
)

it('reconnects with its cursor when the set changes', async () => {
  const { connections, events } = stream()
  events.watch(['a'])
  await settled()
  connections[0]?.open()
  await settled()
  connections[0]?.write('id: 9\ndata: x\n\n')
  await settled()
  events.watch(['a', 'b'])
  await settled()
  expect(connections[0]?.signal.aborted).toBe(true)
  expect(connections[1]).toMatchObject({ query: 'windows=a,b', lastId: '9' })
})

/** Lets the stream of the last connection stand, at a place. */
async function stands({ connections }: ReturnType<typeof stream>, text: string) {
  connections.at(-1)?.open()
  await settled()
  connections.at(-1)?.write(text)
  await settled()
}

/** A frame as it travels, or with `place` what tells where frames come from. */
const frame = (window: string, stream: string, seq: number, done = false) =>
  `data: ${JSON.stringify({ type: 'rpc.stream', window_uuid: window, stream_id: stream, seq, payload: {}, done })}\n\n`
const place = (window: string, stream: string, seq: number) =>
  `event: stream\ndata: ${JSON.stringify({ window_uuid: window, stream_id: stream, seq })}\n\n`

verifies.each('design.stream.resume')([
  { why: 'where it heard frames', said: frame('a', 's', 1) + frame('a', 's', 17), names: ['s:17:a'] },
  { why: 'where it heard none yet', said: place('a', 's', 0), names: ['s:0:a'] },
  { why: 'at what is replayed', said: frame('a', 's', 17) + place('a', 's', 4), names: ['s:4:a'] },
  { why: 'for each window', said: frame('a', 's', 3) + frame('b', 's', 2), names: ['s:3:a', 's:2:b'] },
  { why: 'which it did not hear to its end', said: frame('a', 's', 1) + frame('a', 's', 2, true), names: [] },
  { why: 'of windows that it still shows', said: frame('a', 's', 3) + frame('c', 't', 2), names: ['s:3:a'] },
  {
    why: 'of no more than 128 streams, the last ones heard',
    said: Array.from({ length: 130 }, (_, n) => frame('a', `s${n}`, 1)).join('') + frame('a', 's2', 2),
    names: [...Array.from({ length: 127 }, (_, n) => `s${n + 3}:1:a`), 's2:2:a'],
  },
  {
    why: 'that the host told of behind a reset',
    said: `${frame('a', 's', 3)}event: reset\nid: 9\ndata: {}\n\n${place('a', 't', 5)}`,
    names: ['t:5:a'],
  },
])('goes on with streams $why', async ({ said, names }) => {
  const at = stream()
  at.events.watch(['a', 'c'])
  await settled()
  await stands(at, said)
  at.events.watch(['a', 'b'])
  await settled()
  const streams = names.length > 0 ? `&streams=${names}` : ''
  expect(at.connections[1]?.query).toBe(`windows=a,b${streams}`)
})

it('names its streams when it comes back after an end', async () => {
  const at = stream()
  at.events.watch(['a'])
  await settled()
  await stands(at, place('a', 's', 0) + frame('a', 's', 1))
  at.connections[0]?.end()
  await settled()
  at.clock.advance(1_000)
  await settled()
  expect(at.connections[1]?.query).toBe('windows=a&streams=s:1:a')
  expect(at.told).toHaveLength(1)
})

verifies(
  'design.events.resume',
  'knows its place before the first window opens, and follows the window from there',
  async () => {
    const at = stream()
    const holding = at.events.hold()
    await settled()
    expect(at.connections.map(({ query, lastId }) => [query, lastId])).toEqual([['windows=', null]])
    await stands(at, 'event: cursor\nid: 3\ndata: {}\n\n')
    const release = await holding
    // The window opens, and others move the cursor on.
    at.connections[0]?.write('event: cursor\nid: 5\ndata: {}\n\n')
    await settled()
    at.events.watch(['a'])
    release()
    await settled()
    expect(at.connections[1]).toMatchObject({ query: 'windows=a', lastId: '3' })
    await stands(at, 'id: 4\ndata: opened\n\n')
    expect(at.told).toEqual(['opened'])
  },
)

verifies(
  'design.events.resume',
  'goes back for a window that opens to the oldest place noted, and tells nothing twice',
  async () => {
    const at = stream()
    at.events.watch(['a'])
    await settled()
    await stands(at, 'event: cursor\nid: 1\ndata: {}\n\n')
    const first = await at.events.hold()
    at.connections[0]?.write('id: 2\ndata: a2\n\nevent: cursor\nid: 3\ndata: {}\n\n')
    await settled()
    const second = await at.events.hold()
    at.connections[0]?.write('id: 5\ndata: a5\n\ndata: frame\n\n')
    await settled()
    at.events.watch(['a', 'c'])
    second()
    at.events.watch(['a', 'c', 'b'])
    first()
    await settled()
    expect(at.connections[1]).toMatchObject({ query: 'windows=a,c,b', lastId: '1' })
    await stands(
      at,
      ['id: 2\ndata: a2', 'id: 3\ndata: b3', 'id: 4\ndata: c4', 'id: 5\ndata: a5', 'data: frame', ''].join(
        '\n\n',
      ),
    )
    expect(at.told).toEqual(['reset', 'a2', 'a5', 'frame', 'b3', 'c4', 'frame'])
    // Nobody opens any more: it goes on from its own place.
    at.events.watch(['a', 'b'])
    await settled()
    expect(at.connections[2]?.lastId).toBe('5')
  },
)

it('tells again what comes after a reset under a cursor of before', async () => {
  const at = stream()
  at.events.watch(['a'])
  await settled()
  await stands(at, 'id: 2\ndata: x\n\nevent: reset\nid: 1\ndata: {}\n\nid: 2\ndata: y\n\n')
  expect(at.told).toEqual(['reset', 'x', 'reset', 'y'])
})

it('lets a window open without a place when none is told in time, and tells it a reset then', async () => {
  const at = stream()
  let open = false
  const holding = at.events.hold().then((release) => {
    open = true
    return release
  })
  await settled()
  at.clock.advance(1_999)
  await settled()
  expect(open).toBe(false)
  at.clock.advance(1)
  const release = await holding
  at.events.watch(['a'])
  release()
  await settled()
  await stands(at, 'event: cursor\nid: 7\ndata: {}\n\n')
  expect(at.told).toEqual(['reset'])
})

verifies(
  'design.events.back',
  'holds no window up when the stream fails, and ends when none opened and the host is back',
  async () => {
    const at = stream()
    const holding = at.events.hold()
    await settled()
    at.connections[0]?.fail()
    const release = await holding
    release()
    await settled()
    at.connections[1]?.open()
    await settled()
    expect([at.connections.length, at.clock.timers, at.told]).toEqual([2, 0, ['lost', 'back']])
    expect(at.connections[1]?.signal.aborted).toBe(true)
  },
)

verifies.each('design.events.back')([
  { why: 'the host was away', answer: new TypeError('Failed to fetch'), told: 'lost' },
  { why: 'the sign-in was gone', answer: 401, told: 'refused 401' },
])('tells the return when $why and no window is left meanwhile', async ({ answer, told }) => {
  const at = stream()
  const refused = () => {
    if (answer instanceof Error) at.connections.at(-1)?.fail()
    else at.connections.at(-1)?.answer(new Response('{}', { status: Number(answer) }))
  }
  at.events.watch(['a'])
  await settled()
  refused()
  await settled()
  at.events.watch([])
  await settled()
  refused()
  await settled()
  at.clock.advance(1_000)
  await settled()
  expect(at.connections.map(({ query }) => query)).toEqual(['windows=a', 'windows=', 'windows='])
  at.connections[2]?.open()
  await settled()
  expect([at.told, at.clock.timers]).toEqual([[told, 'back'], 0])
  expect(at.connections[2]?.signal.aborted).toBe(true)
})

it('tries no more for a page without windows once it is closed', async () => {
  const at = stream()
  at.events.watch(['a'])
  await settled()
  at.connections[0]?.fail()
  await settled()
  at.events.close()
  await settled()
  expect([at.connections.length, at.clock.timers]).toEqual([1, 0])
})

it('takes a status of 500 or more for a host that is away', async () => {
  const { connections, told, events } = stream()
  events.watch(['a'])
  await settled()
  connections[0]?.answer(new Response('<html>', { status: 502 }))
  await settled()
  expect(told).toEqual(['lost'])
})

it('comes back after an end, at the pace that the host asked for', async () => {
  const { clock, connections, told, events } = stream()
  events.watch(['a'])
  await settled()
  connections[0]?.open()
  await settled()
  connections[0]?.write('retry: 300\n\nid: 2\ndata: x\n\n')
  connections[0]?.end()
  await settled()
  clock.advance(299)
  expect(connections).toHaveLength(1)
  clock.advance(1)
  await settled()
  expect(connections[1]?.lastId).toBe('2')
  expect(told).toEqual(['reset', 'x'])
})

it('keeps trying while the host is away, ever more slowly, and tells once', async () => {
  const { clock, connections, told, events } = stream()
  events.watch(['a'])
  await settled()
  for (const ms of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
    connections.at(-1)?.fail()
    await settled()
    const before = connections.length
    clock.advance(Math.floor(ms * 0.9))
    expect(connections).toHaveLength(before)
    clock.advance(Math.ceil(ms * 0.1))
    await settled()
    expect(connections).toHaveLength(before + 1)
  }
  expect(told).toEqual(['lost'])
  connections.at(-1)?.open()
  await settled()
  expect(told).toEqual(['lost', 'back'])
})

it('tells a refusal once, tries again, and tells when the stream stands', async () => {
  const { clock, connections, told, events } = stream()
  events.watch(['a'])
  await settled()
  connections[0]?.answer(new Response('{}', { status: 401 }))
  await settled()
  clock.advance(1_000)
  await settled()
  connections[1]?.answer(new Response('{}', { status: 401 }))
  await settled()
  clock.advance(2_000)
  await settled()
  connections[2]?.open()
  await settled()
  expect(told).toEqual(['refused 401', 'back'])
})

it('takes a stream that is silent for 45 s for dead', async () => {
  const { clock, connections, events } = stream()
  events.watch(['a'])
  await settled()
  connections[0]?.open()
  await settled()
  clock.advance(40_000)
  connections[0]?.write(': comment\n\n')
  await settled()
  clock.advance(40_000)
  expect(connections[0]?.signal.aborted).toBe(false)
  clock.advance(5_000)
  expect(connections[0]?.signal.aborted).toBe(true)
})

it('closes all it opened', async () => {
  const { clock, connections, events } = stream()
  events.watch(['a'])
  await settled()
  connections[0]?.open()
  await settled()
  events.close()
  events.close()
  await settled()
  expect([connections[0]?.signal.aborted, clock.timers, connections.length]).toEqual([true, 0, 1])
})
