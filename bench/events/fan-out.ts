import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@svc/contract'
import { type Bus, memoryBus, memoryStore, systemClock } from '@svc/host'
import { pino } from 'pino'
import { openEventStreams } from '../../packages/host/src/events/event-streams.ts'
import { type Events, openEvents } from '../../packages/host/src/events/events.ts'
import { nodeEventStream } from '../../packages/host/src/events/stream-response.ts'
import { compare, type Outcome } from '../lib/pairs.ts'

/** The user and the window that every reader is of. */
export const USER = 'ada'
export const WINDOW = '3f1f9d0e-0a5c-4c6e-9f5b-2b8a4c1d7e90'

/** What is sent to readers, block by block. */
export interface FanOut {
  readonly title: string
  readonly readers: number
  /** Messages of a block, and of a turn of the event loop. */
  readonly frames: number
  readonly aTick: number
  /** Sends one message to all readers of the host; `text` is `last` with the last one of a block. */
  send(text: string, seq: number): void
  /** The same as a bare server writes it. */
  raw(text: string, seq: number): string
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Messages to many readers of one user beside one `res.write` a message and reader. */
export async function fanOut(make: (testHost: { bus: Bus; events: Events }) => FanOut): Promise<Outcome> {
  const bus = memoryBus({ clock: systemClock })
  const testHost = {
    bus,
    store: memoryStore(),
    clock: systemClock,
    limits,
    log: pino({ level: 'silent' }),
    metrics: { readers: () => {} },
  }
  const events = openEvents(testHost)
  const streams = openEventStreams(testHost)
  const { title, readers, frames, aTick, send, raw } = make({ bus, events })
  const bare = new Map<string, ServerResponse[]>([
    ['/raw', []],
    ['/twin', []],
  ])
  const server = createServer((req, res) => {
    const path = req.url ?? ''
    if (path === '/svc') {
      const request = { userId: USER, windows: [WINDOW], jobs: false, lastEventId: null, streams: [] }
      return nodeEventStream(streams, request, res)
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.write('retry: 1000\n\n')
    bare.get(path)?.push(res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const start = async (path: string) => {
    const child = fork(new URL('./readers.ts', import.meta.url), [String(port), path, String(readers)])
    await once(child, 'message')
    return child
  }
  const children = { raw: await start('/raw'), twin: await start('/twin'), svc: await start('/svc') }

  const block = async (child: ChildProcess, sendOne: (text: string, seq: number) => void) => {
    const all = once(child, 'message')
    const begin = performance.now()
    for (let seq = 1; seq <= frames; seq++) {
      sendOne(seq === frames ? 'last' : `text ${seq}`, seq)
      if (seq % aTick === 0) await tick()
    }
    await all
    return (frames * readers) / ((performance.now() - begin) / 1_000)
  }
  const write = (path: string) => (text: string, seq: number) => {
    const message = raw(text, seq)
    for (const res of bare.get(path) ?? []) res.write(message)
  }
  try {
    return await compare({
      title,
      unit: 'frames/s',
      better: 'more',
      aaWithin: 0.1,
      base: { name: 'res.write a frame', block: () => block(children.raw, write('/raw')) },
      twin: { name: 'raw', block: () => block(children.twin, write('/twin')) },
      others: [{ name: 'svc', block: () => block(children.svc, send) }],
    })
  } finally {
    for (const child of Object.values(children)) child.kill()
    streams.close()
    await events.close()
    await bus.close()
    server.closeAllConnections()
    server.close()
  }
}
