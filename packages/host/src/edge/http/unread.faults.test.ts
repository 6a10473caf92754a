import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { slackMs } from '@svc/conformance/processes'
import { atPort, openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import { memoryStore } from '@svc/state'
import { afterAll, beforeAll, expect } from 'vitest'
import { paths } from '../../kernel/request/paths.ts'

const READER_STALLED_MS = 2_000
const VALUE_BYTES = 900_000
const FILE_BYTES = 33_554_432
/** What the buffers of two sockets on one machine take at most, in answers. */
const IN_KERNEL = 12
const CALLS = 60

let services: TestHost
let window: Awaited<ReturnType<TestHost['openWindow']>>
let port: number
let file: string
let reads = 0

beforeAll(async () => {
  const store = memoryStore()
  const counted = {
    ...store,
    isExclusive: true,
    async get(...asked: Parameters<typeof store.get>) {
      const found = await store.get(...asked)
      if (JSON.stringify(found?.row ?? null).length > VALUE_BYTES) reads += 1
      return found
    },
  } as typeof store
  services = await openTestHost({
    store: counted,
    secret: 's'.repeat(32),
    storage: 'persistent',
    manifest: { host_api: { storage: ['*'] } },
    files: { 'index.html': '<!doctype html>', 'large.bin': 'x'.repeat(FILE_BYTES) },
    limits: { READER_STALLED_MS },
  })
  window = await services.openWindow()
  await window.call('storage', 'set', { key: 'big', value: 'x'.repeat(VALUE_BYTES) })
  const opened = await services.request('/api/v1/svc-apps/windows', {
    method: 'POST',
    body: JSON.stringify({ app_id: services.appId }),
    cookie: window.cookie,
  })
  const { entry_url } = (await opened.json()) as { entry_url: string }
  file = new URL(entry_url, services.origin).pathname.replace('index.html', 'large.bin')
  port = (await services.host.listen(0)).port
})
afterAll(() => services.close())

const get = (id: number) =>
  JSON.stringify({
    id: String(id),
    window_uuid: window.windowUuid,
    ns: 'storage',
    method: 'get',
    args: { key: 'big' },
  })
const calls = () => Array.from({ length: CALLS }, (_, id) => get(id))

const head = (line: string, more: Record<string, string | number> = {}) =>
  `${Object.entries({
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    cookie: atPort(window.cookie, { port }),
    'x-svc-app-token': window.token,
    ...more,
  }).reduce((text, [name, value]) => `${text}${name}: ${value}\r\n`, `${line} HTTP/1.1\r\n`)}\r\n`
const posted = (body: string) =>
  head(`POST ${paths.rpc}`, { 'content-type': 'application/json', 'content-length': body.length }) + body

/** A frame of a client, whose mask is nothing. */
function frame(text: string, opcode = 0x81): Buffer {
  const body = Buffer.from(text)
  const size = body.length < 126 ? [0x80 | body.length] : [0xfe, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([opcode, ...size]), Buffer.alloc(4), body])
}

async function openRaw(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket.pause()
}

async function openCalls(): Promise<Socket> {
  const socket = await openRaw()
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': 13,
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    'sec-websocket-protocol': CALL_SOCKET_PROTOCOL,
  }
  socket.write(head(`GET ${paths.calls}`, upgrade))
  await once(socket.resume(), 'data')
  return socket.pause()
}

/** Resolves when the host has cut a connection: what is sent on it is refused then. `dribble` is what is sent. */
function cutAfter(socket: Socket, dribble: Buffer | string): Promise<number> {
  const began = performance.now()
  return new Promise((resolve) => {
    const timer = setInterval(() => socket.write(dribble), 50)
    socket.once('error', () => {
      clearInterval(timer)
      resolve(performance.now() - began)
    })
  })
}

const PING = frame('', 0x89)

/** Each place where a reader can stop reading: what it asks for, and what it sends while it reads nothing. */
const readers: readonly [string, () => Promise<Socket>, () => string | Buffer, Buffer | string][] = [
  [
    'many bodies on a call socket',
    openCalls,
    () => Buffer.concat(calls().map((body, at) => frame(`${at + 1} ${window.token}\n${body}`))),
    PING,
  ],
  ['one array on a call socket', openCalls, () => frame(`1 ${window.token}\n[${calls()}]`), PING],
  ['one array by POST', openRaw, () => posted(`[${calls()}]`), '\r\n'],
  ['many POSTs on one connection', openRaw, () => calls().map(posted).join(''), '\r\n'],
  ['a file', openRaw, () => head(`GET ${file}`), '\r\n'],
]

verifies.each('design.socket.reader')(readers)(
  'who reads nothing of %s is cut in time, whatever it sends, and no more answers are made for it than it may have',
  async (_, open, asks, dribble) => {
    reads = 0
    const socket = await open()
    socket.write(asks())
    const tookMs = await cutAfter(socket, dribble)
    const lateMs = (await slackMs()) + READER_STALLED_MS / 2
    expect(tookMs).toBeGreaterThan(READER_STALLED_MS * 0.9)
    expect(tookMs).toBeLessThan(READER_STALLED_MS + lateMs)
    const owed = Math.ceil(limits.UNREAD_BYTES_PER_USER / VALUE_BYTES)
    expect(reads).toBeLessThanOrEqual(IN_KERNEL + owed + limits.READS_PER_USER)
  },
)

verifies('design.socket.reader', 'who reads all again gets all that it asked for', async () => {
  const socket = await openCalls()
  socket.write(Buffer.concat(calls().map((body, at) => frame(`${at + 1} ${window.token}\n${body}`))))
  await new Promise((done) => setTimeout(done, READER_STALLED_MS / 2))
  let bytes = 0
  const whole = Promise.withResolvers<void>()
  socket.on('data', (chunk) => {
    bytes += chunk.length
    if (bytes > CALLS * VALUE_BYTES) whole.resolve()
  })
  socket.resume()
  await whole.promise
  socket.destroy()
})
