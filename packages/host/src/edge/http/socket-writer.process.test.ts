import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { afterEach, beforeEach, expect } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openUnread } from '../../kernel/limiter/unread.ts'
import { openReaders } from '../../kernel/stalled.ts'
import { SocketWriter } from './socket-writer.ts'

const { CALL_SOCKET_BUSY_CALLS: BUSY, CALL_SOCKET_BUSY_MS, CALL_SOCKET_GATHER_MS } = limits
let server: WebSocketServer
let clock: FrozenClock
let reader: WebSocket
let socket: WebSocket
let writer: SocketWriter
let frames: string[]

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  reader = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong: false })
  frames = []
  reader.on('message', (data) => frames.push(String(data)))
  const [opened, request] = await once(server, 'connection')
  socket = opened
  clock = frozenClock()
  writer = new SocketWriter(socket, request.socket, openUnread(limits).of('ada'), {
    clock,
    limits,
    readers: openReaders(clock, limits),
  })
  await once(reader, 'open')
})
afterEach(() => {
  writer.end()
  expect(clock.timers).toBe(0)
  reader.terminate()
  socket.terminate()
  server.close()
})

const heard = (count: number) => expect.poll(() => frames).toHaveLength(count)

verifies(
  ['design.socket.gather'],
  'lines of one tick leave together, and at once with few under way',
  async () => {
    writer.add('1\n', BUSY - 1)
    writer.add('2\n', 0)
    await heard(1)
    writer.add('3\n', BUSY - 1)
    await heard(2)
    expect(frames).toEqual(['1\n2\n', '3\n'])
    expect(clock.timers).toBe(1)
  },
)

verifies(['design.socket.gather'], 'a line waits for others on a busy socket', async () => {
  writer.add('1\n', BUSY)
  await clock.advance(CALL_SOCKET_GATHER_MS - 1)
  writer.add('2\n', 1)
  expect(frames).toEqual([])
  await clock.advance(1)
  await heard(1)
  expect(frames).toEqual(['1\n2\n'])
})

verifies(
  ['design.socket.gather'],
  'the last line waits for none, and takes what waited with it',
  async () => {
    writer.add('1\n', BUSY)
    writer.add('2\n', 0)
    await heard(1)
    expect(frames).toEqual(['1\n2\n'])
    await clock.advance(CALL_SOCKET_GATHER_MS)
    expect(frames).toHaveLength(1)
  },
)

verifies(['design.socket.gather'], 'a socket stays busy for a moment, and no longer', async () => {
  writer.add('1\n', BUSY)
  writer.flush()
  await clock.advance(CALL_SOCKET_BUSY_MS - 1)
  writer.add('2\n', 1)
  await heard(1)
  await clock.advance(CALL_SOCKET_GATHER_MS)
  await heard(2)
  writer.add('3\n', 1)
  await heard(3)
  expect(frames).toEqual(['1\n', '2\n', '3\n'])
})

verifies(['design.socket.gather'], 'what is more than a reader may be owed waits for nothing', async () => {
  writer.add(`${'x'.repeat(limits.READER_BUFFER_MAX_BYTES)}\n`, BUSY)
  await heard(1)
})

verifies(['design.socket.ping'], 'who answers its pings stays, and who does not is cut', async () => {
  const pinged = () => once(reader, 'ping')
  for (let round = 0; round < 3; round++) {
    const ping = pinged()
    await clock.advance(limits.CALL_SOCKET_PING_MS)
    await ping
    const pong = once(socket, 'pong')
    reader.pong()
    await pong
  }
  const ping = pinged()
  await clock.advance(limits.CALL_SOCKET_PING_MS)
  await ping
  const closed = once(reader, 'close')
  await clock.advance(limits.CALL_SOCKET_PING_MS)
  expect(await closed).toMatchObject([1006, {}])
})
