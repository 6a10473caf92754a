import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { createEventStream } from './event-stream.ts'

interface Connection {
  readonly query: string
  readonly lastId: string | null
  readonly signal: AbortSignal
  /** Answers with a stream, which begins with a comment. */
  open(first?: string): void
  write(text: string): void
  end(): void
  cut(): void
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
    open: (url, init) =>
      new Promise((resolve, reject) => {
        let body: ReadableStreamDefaultController<Uint8Array> | undefined
        const signal = init?.signal ?? AbortSignal.abort()
        signal.addEventListener('abort', () => {
          reject(signal.reason)
          body?.error(signal.reason)
        })
        const header = new Headers(init?.headers).get('last-event-id')
        const after = new URL(url, 'http://host').searchParams.get('after')
        connections.push({
          query: decodeURIComponent(url.replace('/events?', '').replace(/&after=[^&]*/, '')),
          // Something on the way may drop the header.
          lastId: header === after ? header : `${header}, and in the query ${after}`,
          signal,
          open(first = ':\n\n') {
            const start = (controller: typeof body) => {
              body = controller
              controller?.enqueue(new TextEncoder().encode(first))
            }
            const headers = { 'content-type': 'text/event-stream' }
            resolve(new Response(new ReadableStream<Uint8Array>({ start }), { headers }))
          },
          write: (text) => body?.enqueue(new TextEncoder().encode(text)),
          end: () => body?.close(),
          cut: () => body?.error(new TypeError('network error')),
          answer: resolve,
          fail: () => reject(new TypeError('Failed to fetch')),
        })
      }),
    onEvent(text) {
      told.push(text)
      if (text.startsWith('{')) events.passed(JSON.parse(text))
    },
    onReset: () => told.push('reset'),
    onLost: (isSilent) => told.push(isSilent ? 'lost, silent' : 'lost'),
    onBack: () => told.push('back'),
    onRefused: (status) => told.push(`refused ${status}`),
    onForeign: ({ status }) => told.push(`foreign ${status}`),
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

/** A stream of which nothing came but its end, and which is asked for in short pieces since. */
async function heldBack() {
  const at = stream()
  at.events.watch(['a'])
  await settled()
  at.connections[0]?.open('')
  at.connections[0]?.end()
  await settled()
  at.clock.advance(1_000)
  await settled()
  return at
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
    else at.connections.at(-1)?.answer(Response.json({}, { status: Number(answer) }))
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
  connections[0]?.answer(Response.json({}, { status: 401 }))
  await settled()
  clock.advance(1_000)
  await settled()
  connections[1]?.answer(Response.json({}, { status: 401 }))
  await settled()
  clock.advance(2_000)
  await settled()
  connections[2]?.open()
  await settled()
  expect(told).toEqual(['refused 401', 'back'])
})

verifies('bridge.silence', 'takes a stream that is silent for 18 s for dead, and asks at once', async () => {
  const { clock, connections, events, told } = stream()
  events.watch(['a'])
  await settled()
  connections[0]?.open()
  await settled()
  clock.advance(15_000)
  connections[0]?.write(': comment\n\n')
  await settled()
  clock.advance(17_999)
  expect(connections[0]?.signal.aborted).toBe(false)
  clock.advance(1)
  expect(connections[0]?.signal.aborted).toBe(true)
  await settled()
  clock.advance(0)
  await settled()
  expect([connections.length, told]).toEqual([2, []])
  // A buffer that is not full is silent, too.
  expect(connections[1]?.query).toBe('windows=a&poll=1')
  clock.advance(5_000)
  await settled()
  expect(told).toEqual(['lost'])
})

verifies('bridge.silence', 'waits twice as long for its first word with each try, 40 s at most', async () => {
  const { clock, connections, events } = stream()
  events.watch(['a'])
  await settled()
  for (const ms of [5_000, 10_000, 20_000, 40_000, 40_000]) {
    const asked = connections.at(-1)
    clock.advance(ms - 1)
    expect(asked?.signal.aborted).toBe(false)
    clock.advance(1)
    expect(asked?.signal.aborted).toBe(true)
    await settled()
    clock.advance(10_000)
    await settled()
  }
})

verifies('bridge.held', 'asks for short pieces where the stream opens and says nothing', async () => {
  const at = stream()
  at.events.watch(['a'])
  await settled()
  at.connections[0]?.open('')
  await settled()
  at.clock.advance(5_000)
  await settled()
  at.clock.advance(1_000)
  await settled()
  expect([at.told, at.connections[1]?.query]).toEqual([['lost, silent'], 'windows=a&poll=1'])
  for (const n of [1, 2]) {
    await stands(at, `id: ${n}\ndata: ${n}\n\n`)
    at.connections.at(-1)?.end()
    await settled()
    at.clock.advance(250)
    await settled()
  }
  expect(at.told).toEqual(['lost, silent', 'back', 'reset', '1', '2'])
  expect(at.connections.slice(2).map(({ query, lastId }) => [query, lastId])).toEqual([
    ['windows=a&poll=1', '1'],
    ['windows=a&poll=1', '2'],
  ])
  // A socket that comes, and may not open, goes round nothing yet.
  at.events.move(false)
  await settled()
  expect(at.connections.at(-1)?.query).toBe('windows=a&poll=1')
  // Another network may hold nothing back.
  at.events.ask()
  await settled()
  expect(at.connections.at(-1)?.query).toBe('windows=a')
})

verifies(
  'bridge.held',
  'offers the call socket once, and asks for the whole stream after ten minutes',
  async () => {
    const at = await heldBack()
    for (const _ of [1, 2, 3]) {
      await stands(at, 'event: calls\ndata: {}\n\nid: 1\n\n')
      at.connections.at(-1)?.end()
      await settled()
      at.clock.advance(250)
      await settled()
    }
    expect(at.told.filter((what) => what === 'calls')).toHaveLength(1)
    await stands(at, 'id: 2\n\n')
    at.connections.at(-1)?.end()
    await settled()
    at.clock.advance(600_000)
    await settled()
    expect(at.connections.at(-1)?.query).toBe('windows=a')
  },
)

verifies('bridge.held', 'asks for short pieces where a stream ends that said nothing', async () => {
  const at = await heldBack()
  expect([at.told, at.connections[1]?.query]).toEqual([['lost, silent'], 'windows=a&poll=1'])
})

verifies(
  'bridge.silence',
  'tells a connection that breaks before its first word only the second time',
  async () => {
    const at = stream()
    at.events.watch(['a'])
    await settled()
    for (const told of [[], ['lost']]) {
      at.connections.at(-1)?.open('')
      await settled()
      at.connections.at(-1)?.cut()
      await settled()
      expect(at.told).toEqual(told)
      at.clock.advance(2_000)
      await settled()
    }
    expect(at.connections.at(-1)?.query).toBe('windows=a')
  },
)

const html = { headers: { 'content-type': 'text/html' } }
verifies.each('bridge.foreign')<[string, () => Response, string]>([
  ['a sign-in page', () => new Response('<form>', html), 'foreign 200'],
  ['a page that forbids', () => new Response('<p>', { ...html, status: 403 }), 'foreign 403'],
  ['a way to another page', () => new Response(null, { status: 302 }), 'foreign 302'],
  ['an error of a CDN', () => new Response('<p>', { ...html, status: 503 }), 'lost'],
  [
    'a sign-in that is missing, as a page',
    () => new Response('<p>', { ...html, status: 401 }),
    'refused 401',
  ],
  ['a refusal of the host', () => Response.json({}, { status: 400 }), 'refused 400'],
])('tells of %s once, and asks ever more slowly', async (_, answer, said) => {
  const at = stream()
  at.events.watch(['a'])
  await settled()
  for (const ms of [1_000, 2_000, 4_000]) {
    at.connections.at(-1)?.answer(answer())
    await settled()
    const { length } = at.connections
    at.clock.advance(ms * 0.9)
    await settled()
    expect(at.connections).toHaveLength(length)
    at.clock.advance(ms * 0.1)
    await settled()
    expect(at.connections).toHaveLength(length + 1)
  }
  at.connections.at(-1)?.open()
  await settled()
  expect(at.told).toEqual([said, 'back'])
})

verifies(
  'bridge.network',
  'asks at once where the network may be another, and once where nobody listens',
  async () => {
    const at = stream()
    at.events.ask()
    await settled()
    expect(at.connections).toHaveLength(0)
    at.events.watch(['a'])
    await settled()
    at.connections[0]?.fail()
    await settled()
    at.events.ask()
    await settled()
    expect(at.connections).toHaveLength(2)
    await stands(at, 'id: 1\n\n')
    at.events.ask(true)
    await settled()
    expect(at.connections).toHaveLength(2)
    at.events.ask()
    await settled()
    at.connections[2]?.fail()
    await settled()
    expect([at.connections[2]?.lastId, at.told]).toEqual(['1', ['lost', 'back', 'reset', 'lost']])
  },
)

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

verifies(
  'design.events.socket',
  'goes on over another connection once its place is known, and loses nothing',
  async () => {
    const { connections, told, events } = stream()
    events.move(true)
    events.watch(['a'])
    await settled()
    const [first] = connections
    first?.open()
    await settled()
    events.move(true)
    await settled()
    expect(connections).toHaveLength(1)
    first?.write('id: cur_1\n\n')
    await settled()
    expect(connections.map(({ lastId, signal }) => [lastId, signal.aborted])).toEqual([
      [null, true],
      ['cur_1', false],
    ])
    events.move(true)
    await settled()
    expect(connections.map(({ lastId }) => lastId)).toEqual([null, 'cur_1', 'cur_1'])
    expect(told).toEqual(['reset'])
  },
)
