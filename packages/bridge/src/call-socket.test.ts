import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it, onTestFinished, vi } from 'vitest'
import { unreachable } from './bridge-error.ts'
import { createCallSocket } from './call-socket.ts'
import type { Carry } from './carry.ts'
import { tools } from './page-socket.ts'

/** The browser's end of a socket, moved by hand. */
class HandSocket {
  readonly url: string
  readonly protocols: string[]
  readonly frames: string[] = []
  onopen = () => {}
  onclose = (_: { reason: string }) => {}
  onmessage = (_: { data: string | Uint8Array }) => {}
  isClosed = false
  readyState = 0

  constructor(url: string, protocols: string[]) {
    this.url = url
    this.protocols = protocols
  }
  send(frame: string) {
    this.frames.push(frame)
  }
  close() {
    this.isClosed = true
  }
  stand() {
    this.readyState = 1
    this.onopen()
  }
  end(reason = '') {
    this.readyState = 3
    this.onclose({ reason })
  }
  hear(data: string | Uint8Array) {
    this.onmessage({ data })
  }
}

function socketOf() {
  const made: HandSocket[] = []
  vi.stubGlobal(
    'WebSocket',
    class extends HandSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols)
        made.push(this)
      }
    },
  )
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const posted: string[] = []
  const fetched: unknown[] = []
  const opened: number[] = []
  const clock = frozenClock()
  const byPost: Carry = async ({ body }) => {
    posted.push(body)
    return { status: 200, text: 'posted' }
  }
  const socket = createCallSocket(
    {
      protocols: ['svc.calls.1'],
      url: 'ws://host/calls',
      byPost,
      fetch: async (address, { headers, signal }) => {
        fetched.push([address, headers['last-event-id']])
        signal.throwIfAborted()
        return new Response('by fetch')
      },
      clock,
      onSettled: () => opened.push(fetched.length),
    },
    tools,
  )
  const lines: string[] = []
  const gone = new AbortController()
  const carry = (body: string, count = 1, mayRepeat = false) =>
    socket.carry({
      body,
      count,
      mayRepeat,
      token: 't',
      onLine: (line) => lines.push(line),
      signal: gone.signal,
    })
  /** The newest socket. */
  const last = () => made.at(-1) as HandSocket
  return { socket, made, last, posted, fetched, opened, clock, lines, gone, carry }
}

function opened() {
  const bed = socketOf()
  bed.socket.open()
  bed.last().stand()
  return bed
}

it('goes by POST until the socket stands, and opens one socket', async () => {
  const { socket, made, last, posted, carry } = socketOf()
  expect(await carry('{}')).toEqual({ status: 200, text: 'posted' })
  socket.open()
  socket.open()
  expect(made.map(({ url, protocols }) => [url, ...protocols])).toEqual([['ws://host/calls', 'svc.calls.1']])
  await carry('{}')
  expect([posted.length, socket.isOpen()]).toEqual([2, false])
  last().onopen()
  void carry('{}')
  expect([posted.length, socket.isOpen(), last().frames]).toEqual([2, true, ['1 t\n{}']])
})

verifies('design.batch.as_ready', 'hands over the answers of several bodies from one frame', async () => {
  const { last, lines, carry } = opened()
  const list = carry('[a,b]', 2)
  const one = carry('{}')
  last().hear('1 200 {"id":"b"}\n2 404 {"id":"x"}\n')
  expect(await one).toEqual({ status: 404, text: '{"id":"x"}' })
  last().hear('1 200 {"id":"a"}\n')
  expect(await list).toMatchObject({ status: 200 })
  expect(lines).toEqual(['{"id":"b"}', '{"id":"a"}'])
})

it('ends a body that is refused as a whole with its one line', async () => {
  const { last, lines, carry } = opened()
  const list = carry('[a,b]', 2)
  last().hear('1 401 {"id":""}\n')
  expect(await list).toEqual({ status: 401, text: '{"id":""}' })
  expect(lines).toEqual([])
})

it('passes by what answers nobody', async () => {
  const { last, carry } = opened()
  const one = carry('{}')
  for (const frame of ['', '\n\n', '9 200 {}\n', 'x', '1x 200 {}\n']) last().hear(frame)
  last().hear('1 200 {"id":"1"}\n')
  expect(await one).toEqual({ status: 200, text: '{"id":"1"}' })
})

it('sends a lone long body by POST, so that it holds up nobody', async () => {
  const { last, posted, carry } = opened()
  await carry('x'.repeat(32_769))
  void carry('x'.repeat(32_769), 2)
  expect([posted.length, last().frames.length]).toEqual([1, 1])
})

it('says so when nobody waits any more, and takes no signal that has aborted', async () => {
  const { last, gone, carry } = opened()
  const one = carry('{}')
  gone.abort(new Error('enough'))
  await expect(one).rejects.toThrow('enough')
  await expect(carry('{}')).rejects.toThrow('enough')
  expect(last().frames).toEqual(['1 t\n{}', '1'])
})

it('fails what is under way when the socket breaks, and opens it again in a second', async () => {
  const { socket, made, last, posted, clock, carry } = opened()
  const one = carry('{}')
  last().end()
  await expect(one).rejects.toMatchObject({ code: 'host_unreachable' })
  await carry('{}')
  expect([socket.isOpen(), posted.length]).toEqual([false, 1])
  clock.advance(1_000)
  expect(made).toHaveLength(2)
  last().onopen()
  expect(socket.isOpen()).toBe(true)
})

it('does not insist where no socket ever stood; whoever opens it next tries again', () => {
  const { socket, made, last, clock } = socketOf()
  socket.open()
  last().end()
  expect(clock.timers).toBe(0)
  socket.open()
  expect(made).toHaveLength(2)
})

it('takes no body after a sleep until a new one stands, and ends with what is under way on the old one', async () => {
  const { socket, made, last, posted, carry } = opened()
  const old = last()
  const one = carry('{"n":1}')
  socket.doubt()
  await carry('{"n":2}')
  expect([made.length, posted, old.isClosed]).toEqual([1, ['{"n":2}'], false])
  old.hear('1 200 {"id":"1","ok":true,"result":{}}')
  await one
  expect([made.length, old.isClosed]).toEqual([2, true])
  last().onopen()
  void carry('{"n":3}')
  expect(last().frames).toHaveLength(1)
})

it('closes with what is under way, and stays closed', async () => {
  const { socket, made, last, clock, carry } = opened()
  const one = carry('{}')
  socket.close()
  await expect(one).rejects.toMatchObject({ code: 'host_unreachable' })
  expect(last().isClosed).toBe(true)
  last().end()
  expect([made.length, clock.timers]).toEqual([1, 0])
})

/** The event stream over a socket, as its reader opens it. */
function streaming() {
  const bed = opened()
  const leaving = new AbortController()
  const read = async (lastEventId?: string) => {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const { body } = await bed.socket.events('/events?windows=a', { headers, signal: leaving.signal })
    return new Response(body as ReadableStream).body?.pipeThrough(new TextDecoderStream()).getReader()
  }
  return { ...bed, leaving, read }
}
const bytes = (text: string) => new TextEncoder().encode(text)

verifies(
  'design.events.socket',
  'reads the event stream over the socket, from where the host says that it begins',
  async () => {
    const { read, last, fetched, opened } = streaming()
    const reading = read('cur_1')
    expect(last().frames).toEqual(['0 1 cur_1\nwindows=a'])
    // Of a stream before it.
    last().hear(bytes('old'))
    last().hear('0 200 1\n')
    const reader = await reading
    last().hear(bytes('data: 1'))
    last().hear(bytes('\n\n'))
    expect([(await reader?.read())?.value, (await reader?.read())?.value]).toEqual(['data: 1', '\n\n'])
    expect([fetched, opened]).toEqual([[], [0]])
  },
)

verifies(
  'design.events.socket',
  'reads it by a request where the socket does not stand, refuses it or closes before',
  async () => {
    const byFetch = ['/events?windows=a', undefined]
    const { socket, fetched, last, read } = streaming()
    const refused = read()
    last().hear('0 429 {"error":{}}\n')
    expect((await (await refused)?.read())?.value).toBe('by fetch')
    const closed = read()
    last().end()
    await closed
    await read()
    expect([socket.isOpen(), fetched]).toEqual([false, [byFetch, byFetch, byFetch]])
  },
)

verifies(
  'design.events.socket',
  'opens no request while the socket comes up, and one as soon as that takes long',
  async () => {
    const { socket, last, clock, fetched, opened } = socketOf()
    const signal = new AbortController().signal
    const ask = () => socket.events('/events?windows=a', { headers: {}, signal })
    expect(socket.open()).toBe(true)
    const coming = ask()
    await Promise.resolve()
    last().stand()
    await clock.advance(2_000)
    await expect.poll(() => last().frames.length).toBe(1)
    last().hear('0 200 1\n')
    expect([(await coming).ok, fetched]).toEqual([true, []])
    last().end()
    await clock.advance(1_000)
    const late = ask()
    await clock.advance(2_000)
    expect([(await late).ok, fetched.length]).toEqual([true, 1])
    // It fails: said once, and not waited for again until one stands.
    last().end()
    expect([socket.open(), opened]).toEqual([false, [0, 1]])
    last().end()
    socket.open()
    await ask()
    expect([fetched.length, opened]).toEqual([2, [0, 1]])
  },
)

verifies(
  'design.events.socket',
  'leaves the stream to who asked last, where both waited for the socket',
  async () => {
    const { socket, last, fetched } = socketOf()
    const leaving = new AbortController()
    socket.open()
    const first = socket.events('/events?windows=a', { headers: {}, signal: leaving.signal })
    last().stand()
    leaving.abort()
    const next = socket.events('/events?windows=b', { headers: {}, signal: new AbortController().signal })
    await expect(first).rejects.toThrow()
    last().hear('0 200 1\n')
    expect([(await next).ok, last().frames, fetched.length]).toEqual([true, ['0 1 \nwindows=b'], 1])
  },
)

verifies(
  'design.events.socket',
  'takes no word about a stream that was given up for one about the next',
  async () => {
    const { socket, read, last, leaving, fetched } = streaming()
    const first = read()
    leaving.abort()
    await first.catch(() => undefined)
    const next = socket.events('/events?windows=b', { headers: {}, signal: new AbortController().signal })
    last().hear('0 200 1\n')
    last().hear(bytes('of the first'))
    last().hear('0 200 2\n')
    last().hear(bytes('of the next'))
    const reader = (await next).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('of the next')
    expect(fetched.length).toBe(1)
  },
)

verifies.each('design.events.socket')<[string, (bed: ReturnType<typeof streaming>) => void]>([
  ['the host ends it', ({ last }) => last().hear('0 204 1\n')],
  ['the socket breaks', ({ last }) => last().end()],
  ['its reader leaves', ({ leaving }) => leaving.abort()],
])('a stream over the socket ends when %s, and what comes later is of another', async (_name, end) => {
  const bed = streaming()
  const reading = bed.read()
  bed.last().hear('0 200 1\n')
  const reader = await reading
  end(bed)
  await expect(reader?.read()).rejects.toBeDefined()
  bed.last().hear(bytes('late'))
  expect(bed.fetched).toEqual([])
})

verifies(
  'design.events.socket',
  'a socket on which the stream was silent for too long is not used any more',
  async () => {
    const { read, last, leaving, made, socket } = streaming()
    const reading = read()
    last().hear('0 200 1\n')
    const reader = await reading
    leaving.abort(unreachable('no answer within 18000 ms'))
    await expect(reader?.read()).rejects.toBeDefined()
    expect([socket.isOpen(), made.length, made[0]?.isClosed, made[0]?.frames.at(-1)]).toEqual([
      false,
      2,
      true,
      '0',
    ])
  },
)

verifies(
  'bridge.calls.again',
  'sends again by POST what only reads, where the socket died under it',
  async () => {
    const { read, last, leaving, carry, posted, clock } = streaming()
    const reading = read()
    last().hear('0 200 1\n')
    await reading
    const [reads, writes] = [carry('read', 1, true), carry('write')]
    clock.advance(18_000)
    leaving.abort(unreachable('no answer within 18000 ms'))
    expect(await reads).toEqual({ status: 200, text: 'posted' })
    await expect(writes).rejects.toMatchObject({ code: 'host_unreachable' })
    expect(posted).toEqual(['read'])
  },
)

verifies.each('bridge.silence')([
  ['ends where nothing comes on it for 18 s', false],
  ['goes on where something comes', true],
])('what is under way on a socket in doubt %s', async (_, comes) => {
  const { read, last, leaving, carry, made, clock, socket } = streaming()
  const reading = read()
  last().hear('0 200 1\n')
  await reading
  const writes = carry('write')
  const old = last()
  clock.advance(5_000)
  // The stream had not its first word; a long answer may stand before it.
  leaving.abort(unreachable('no answer within 5000 ms'))
  expect([socket.isOpen(), old.isClosed]).toEqual([false, false])
  clock.advance(1)
  if (comes) old.hear('9 200 {}\n')
  clock.advance(18_000)
  expect([old.isClosed, made.length]).toEqual(comes ? [false, 1] : [true, 2])
  if (comes) old.hear('1 200 {"id":"1"}\n')
  if (comes) expect(await writes).toMatchObject({ status: 200 })
  else await expect(writes).rejects.toMatchObject({ code: 'host_unreachable' })
})

it('a socket that takes no more bodies is replaced though the event stream is on it', async () => {
  const { read, last, made, socket } = streaming()
  const reading = read()
  last().hear('0 200 1\n')
  await reading
  socket.doubt()
  expect([made.length, made[0]?.isClosed]).toEqual([2, true])
})

verifies(
  'leave.calls',
  'bodies that a closing host left unanswered go by POST, until there is a new socket',
  async () => {
    const { socket, made, last, posted, carry, clock } = socketOf()
    socket.open()
    last().onopen()
    const left = [carry('one'), carry('two')]
    last().end('closing')
    expect(await Promise.all(left)).toEqual([
      { status: 200, text: 'posted' },
      { status: 200, text: 'posted' },
    ])
    expect([posted, made.length]).toEqual([['one', 'two'], 1])
    await clock.advance(1_000)
    expect(made).toHaveLength(2)
  },
)

verifies('leave.calls', 'a socket that refuses a body because its host closes takes no other', async () => {
  const { socket, last, posted, carry } = socketOf()
  socket.open()
  last().onopen()
  const [slow, refused] = [carry('slow'), carry('refused')]
  last().hear(
    '2 503 {"id":"","ok":false,"error":{"code":"agent_unavailable","message":"m","details":{"by":"closing"}}}',
  )
  expect(await refused).toEqual({ status: 200, text: 'posted' })
  await carry('next')
  expect(posted).toEqual(['refused', 'next'])
  last().hear('1 200 {"id":"s"}')
  expect(await slow).toMatchObject({ status: 200 })
})

const closes =
  '{"id":"","ok":false,"error":{"code":"agent_unavailable","message":"m","details":{"by":"closing"}}}'
verifies.each('sign_in.page_ends')([
  ['its sign-in is over', `401 {}`],
  ['its host takes nothing more on it', `503 ${closes}`],
])('a socket whose stream is refused because %s is used no more, and replaced', async (_, said) => {
  const { read, last, made, socket, carry, fetched } = streaming()
  const slow = carry('slow')
  const reading = read()
  last().hear(`0 ${said}\n`)
  await reading
  expect([socket.isOpen(), socket.open(), fetched.length, made.length]).toEqual([false, false, 1, 1])
  last().hear('1 200 {"id":"s"}\n')
  await slow
  expect([made.length, socket.open()]).toEqual([2, true])
})

it('is not likely to come where the browser makes none', () => {
  const { socket } = socketOf()
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor() {
        throw new SyntaxError('no word of a subprotocol')
      }
    },
  )
  expect(socket.open()).toBe(false)
})
