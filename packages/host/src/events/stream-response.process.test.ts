import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventBed, settle, windowId } from '../testing/event-page.ts'
import { fetchEventStream, nodeEventStream } from './stream-response.ts'

const a = windowId(1)
const request = { userId: 'ann', windows: [a], jobs: false, lastEventId: null, streams: [] }
const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}
type Bed = ReturnType<typeof eventBed>

/** Waits for what the machine's own sockets do. */
async function until(what: () => boolean) {
  while (!what()) await settle(1)
}

async function overNode(bed: Bed) {
  const server = createServer((_, res) => nodeEventStream(bed.streams, request, res)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const outgoing = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  const [res] = (await once(outgoing, 'response')) as [IncomingMessage]
  const heard = { text: '', ended: false }
  res
    .setEncoding('utf8')
    .on('data', (text) => {
      heard.text += text
    })
    .on('end', () => {
      heard.ended = true
    })
    .on('error', () => {})
  return { headers: res.headers, heard, leave: () => outgoing.destroy(), pause: () => res.pause(), res }
}

async function overFetch(bed: Bed, upgrades = false) {
  const gone = new AbortController()
  const response = fetchEventStream(bed.streams, request, { signal: gone.signal, upgrades })
  const heard = { text: '', ended: false }
  const read = async () => {
    for await (const bytes of response.body ?? []) heard.text += Buffer.from(bytes)
    heard.ended = true
  }
  read().catch(() => {})
  return { headers: Object.fromEntries(response.headers), heard, leave: () => gone.abort() }
}

describe.each([
  { front: 'node:http', open: overNode, first: 'event: calls\ndata: {}\n\n' },
  { front: 'fetch', open: overFetch, first: ':\n\n' },
  {
    front: 'fetch beside upgrades',
    open: (bed: Bed) => overFetch(bed, true),
    first: 'event: calls\ndata: {}\n\n',
  },
])('over $front', ({ open, first }) => {
  it('streams with its headers, says whether upgrades are taken, and ends with the host', async () => {
    const bed = eventBed()
    const page = await open(bed)
    expect(page.headers).toMatchObject(headers)
    await until(() => page.heard.text.includes('event: cursor'))
    bed.title('ann', a, 'ä title')
    await until(() => page.heard.text.includes('ä title'))
    bed.streams.close()
    await until(() => page.heard.ended)
    expect(page.heard.text.startsWith(first)).toBe(true)
    expect(page.heard.text.slice(first.length)).toMatch(
      /^retry: 1000\n\nevent: cursor\nid: \S+\ndata: {}\n\nid: \S+\ndata: .*\n\nretry: 100\n\n$/,
    )
    expect([bed.open.readers, bed.clock.timers]).toEqual([0, 0])
  })

  it('lets go when its page leaves', async () => {
    const bed = eventBed()
    const page = await open(bed)
    await until(() => page.heard.text !== '')
    page.leave()
    await until(() => bed.open.readers === 0)
    expect(bed.clock.timers).toBe(0)
  })
})

verifies('design.events.reader_cost', 'a socket that nobody reads is cut after 30 s', async () => {
  const bed = eventBed({ READER_BUFFER_MAX_BYTES: 100_000, JOURNAL_KEPT_BYTES: 100_000_000 })
  const page = await overNode(bed)
  await until(() => page.heard.text !== '')
  page.pause()
  // More than the buffers of two sockets on one machine take.
  for (let n = 0; n < 400; n += 1) bed.title('ann', a, 'x'.repeat(50_000))
  await bed.events.flush()
  expect(bed.open.readers).toBe(1)
  // The 30 s begin when the socket takes no more, which nobody outside sees.
  for (let n = 0; n < 20 && bed.open.readers > 0; n += 1) {
    await settle(100)
    await bed.clock.advance(60_000)
  }
  expect([bed.open.readers, bed.clock.timers]).toEqual([0, 0])
})

it('hands each fetch reader bytes of its own', async () => {
  const bed = eventBed()
  const readers = [1, 2].map(() => fetchEventStream(bed.streams, request).body?.getReader())
  for (const reader of readers) await reader?.read()
  bed.title('ann', a, 'x')
  const [one, two] = await Promise.all(readers.map((reader) => reader?.read()))
  expect(one?.value).toEqual(two?.value)
  expect(one?.value?.buffer).not.toBe(two?.value?.buffer)
  for (const reader of readers) await reader?.cancel()
  expect(bed.open.readers).toBe(0)
})

it('cuts a fetch reader that takes nothing', async () => {
  const bed = eventBed({ READER_BUFFER_MAX_BYTES: 100_000 })
  const reader = fetchEventStream(bed.streams, request).body?.getReader()
  await settle()
  for (let n = 0; n < 100; n += 1) bed.title('ann', a, 'x'.repeat(5_000))
  await settle()
  await bed.clock.advance(30_000)
  expect(bed.open.readers).toBe(0)
  await expect(reader?.read()).rejects.toThrow('read nothing for too long')
})

it('answers a request that was given up with nothing left open', async () => {
  const bed = eventBed()
  const response = fetchEventStream(bed.streams, request, { signal: AbortSignal.abort() })
  expect(await response.text()).toBe(':\n\n')
  await settle()
  expect([bed.open.readers, bed.clock.timers]).toEqual([0, 0])
})

it('ends without an error when its request is given up: a listener such as getRequestListener would log one', async () => {
  const bed = eventBed()
  const gone = new AbortController()
  const body = fetchEventStream(bed.streams, request, { signal: gone.signal }).text()
  await settle()
  gone.abort(new Error('aborted'))
  expect(await body).toContain('event: cursor')
  expect(bed.open.readers).toBe(0)
})
