import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compare, type Outcome } from '../lib/pairs.ts'
import type { Feed } from './feed.ts'

/** What is sent to readers, block by block. */
export interface FanOut {
  readonly title: string
  readonly feed: Feed
  readonly readers: number
  /** Messages of a block, and of a turn of the event loop. */
  readonly frames: number
  readonly aTick: number
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Messages of a host to many pages of one user, beside one `res.write` a message and reader. Closes the feed. */
export async function fanOut({ title, feed, readers, frames, aTick }: FanOut): Promise<Outcome> {
  const bare = new Map<string, ServerResponse[]>([
    ['/raw', []],
    ['/twin', []],
  ])
  const server = createServer((req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.write('retry: 1000\n\n')
    bare.get(req.url ?? '')?.push(res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const start = async (at: Pick<Feed, 'port' | 'path' | 'cookie'>) => {
    const args = [at.port, at.path, at.cookie, readers].map(String)
    const child = fork(new URL('./readers.ts', import.meta.url), args)
    await once(child, 'message')
    return child
  }

  /** Sends a block at a time to the readers of `child`, and measures until all of them have its last message. */
  const blocks = (child: ChildProcess, send: (seq: number) => void) => {
    let seq = 0
    return async () => {
      child.send(feed.markOf(seq + frames))
      await once(child, 'message')
      const all = once(child, 'message')
      const begin = performance.now()
      for (let sent = 1; sent <= frames; sent++) {
        seq += 1
        send(seq)
        if (sent % aTick === 0) await tick()
      }
      await all
      return (frames * readers) / ((performance.now() - begin) / 1_000)
    }
  }
  const write = (path: string) => (seq: number) => {
    const message = feed.textOf(seq)
    for (const res of bare.get(path) ?? []) res.write(message)
  }
  const children = {
    raw: await start({ port, path: '/raw', cookie: '' }),
    twin: await start({ port, path: '/twin', cookie: '' }),
    svc: await start(feed),
  }
  try {
    return await compare({
      title,
      unit: 'frames/s',
      better: 'more',
      aaWithin: 0.1,
      base: { name: 'res.write a frame', block: blocks(children.raw, write('/raw')) },
      twin: { name: 'raw', block: blocks(children.twin, write('/twin')) },
      others: [{ name: 'svc', block: blocks(children.svc, feed.send) }],
    })
  } finally {
    for (const child of Object.values(children)) child.kill()
    await feed.close()
    server.closeAllConnections()
    server.close()
  }
}
