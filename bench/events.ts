import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@svc/contract'
import { memoryBus, memoryStore, systemClock } from '@svc/host'
import { pino } from 'pino'
import { nodeEventStream } from '../packages/host/src/events/node-stream.ts'
import { openEvents } from '../packages/host/src/events/open-events.ts'
import { openEventStreams } from '../packages/host/src/events/streams.ts'
import { compare, type Outcome } from './lib/pairs.ts'

const WINDOW = '3f1f9d0e-0a5c-4c6e-9f5b-2b8a4c1d7e90'
const FRAMES_A_TICK = 20
const FRAMES_A_BLOCK: ReadonlyMap<number, number> = new Map([
  [1, 20_000],
  [50, 2_000],
  [500, 400],
])

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Frames to 1, 50 and 500 readers beside one `res.write` a frame and reader. */
export async function benchEvents(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [readers, frames] of FRAMES_A_BLOCK) outcomes.push(await toReaders(readers, frames))
  return outcomes
}

async function toReaders(readers: number, frames: number): Promise<Outcome> {
  const bus = memoryBus({ clock: systemClock })
  const house = {
    bus,
    store: memoryStore(),
    clock: systemClock,
    limits,
    log: pino({ level: 'silent' }),
    metrics: { readers: () => {} },
  }
  const events = openEvents(house)
  const streams = openEventStreams(house)
  const raw = new Map<string, ServerResponse[]>([
    ['/raw', []],
    ['/twin', []],
  ])
  const server = createServer((req, res) => {
    const path = req.url ?? ''
    if (path === '/svc')
      return nodeEventStream(
        streams,
        { userId: 'ada', windows: [WINDOW], jobs: false, lastEventId: null, streams: [] },
        res,
      )
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.write('retry: 1000\n\n')
    raw.get(path)?.push(res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const start = async (path: string) => {
    const child = fork(new URL('./events/readers.ts', import.meta.url), [String(port), path, String(readers)])
    await once(child, 'message')
    return child
  }
  const children = { raw: await start('/raw'), twin: await start('/twin'), svc: await start('/svc') }

  const block = async (child: ChildProcess, send: (title: string, seq: number) => void) => {
    const all = once(child, 'message')
    const begin = performance.now()
    for (let seq = 1; seq <= frames; seq++) {
      send(seq === frames ? 'last' : `title of a window ${seq}`, seq)
      if (seq % FRAMES_A_TICK === 0) await tick()
    }
    await all
    return (frames * readers) / ((performance.now() - begin) / 1_000)
  }
  const write = (path: string) => (title: string, seq: number) => {
    const text = `id: ${seq}\ndata: ${JSON.stringify({ type: 'title_changed', window_uuid: WINDOW, title })}\n\n`
    for (const res of raw.get(path) ?? []) res.write(text)
  }
  try {
    return await compare({
      title: `events to ${readers} readers, ${FRAMES_A_TICK} a tick`,
      unit: 'frames/s',
      better: 'more',
      aaWithin: 0.1,
      base: { name: 'res.write a frame', block: () => block(children.raw, write('/raw')) },
      twin: { name: 'raw', block: () => block(children.twin, write('/twin')) },
      others: [
        {
          name: 'svc',
          block: () => block(children.svc, (title) => events.emit('ada', 'title_changed', WINDOW, { title })),
        },
      ],
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

if (import.meta.main) await benchEvents()
