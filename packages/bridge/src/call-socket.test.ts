import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createCallSocket } from './call-socket.ts'
import type { Carry } from './carry.ts'

/** The browser's end of a socket, moved by hand. */
class HandSocket {
  readonly url: string
  readonly protocol: string
  readonly frames: string[] = []
  onopen = () => {}
  onclose = (_: { reason: string }) => {}
  onmessage = (_: { data: string }) => {}
  isClosed = false

  constructor(url: string, protocol: string) {
    this.url = url
    this.protocol = protocol
  }
  send(frame: string) {
    this.frames.push(frame)
  }
  close() {
    this.isClosed = true
  }
  end(reason = '') {
    this.onclose({ reason })
  }
  hear(data: string) {
    this.onmessage({ data })
  }
}

function socketOf() {
  const made: HandSocket[] = []
  vi.stubGlobal(
    'WebSocket',
    class extends HandSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol)
        made.push(this)
      }
    },
  )
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const posted: string[] = []
  const clock = frozenClock()
  const byPost: Carry = async ({ body }) => {
    posted.push(body)
    return { status: 200, text: 'posted' }
  }
  const socket = createCallSocket('ws://host/calls', byPost, clock)
  const lines: string[] = []
  const gone = new AbortController()
  const carry = (body: string, count = 1) =>
    socket.carry({ body, count, token: 't', onLine: (line) => lines.push(line), signal: gone.signal })
  /** The newest socket. */
  const last = () => made.at(-1) as HandSocket
  return { socket, made, last, posted, clock, lines, gone, carry }
}

function opened() {
  const bed = socketOf()
  bed.socket.open()
  bed.last().onopen()
  return bed
}

it('goes by POST until the socket stands, and opens one socket', async () => {
  const { socket, made, last, posted, carry } = socketOf()
  expect(await carry('{}')).toEqual({ status: 200, text: 'posted' })
  socket.open()
  socket.open()
  expect(made.map(({ url, protocol }) => [url, protocol])).toEqual([['ws://host/calls', 'svc.calls.1']])
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
