import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** An answer of the host, as the front passes it on; with `body` the front's own. Status 0: it breaks off. */
export interface FrontAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: string
}

/** What a front makes of an answer of the host. */
export type Bend = (path: string, answer: FrontAnswer, asked: IncomingHttpHeaders) => FrontAnswer

/** What stands before a host: all goes through it, and each answer as it bends it. */
export async function startPageFront(hostUrl: string, bend: Bend) {
  const { hostname, port } = new URL(hostUrl)
  const open = new Set<Duplex>()
  const server = createServer((req, res) => {
    const { method, headers, url: path = '/' } = req
    const ahead = request({ hostname, port, method, headers, path })
    ahead.once('response', (reply) => {
      const { body, ...bent } = bend(
        path,
        { status: reply.statusCode ?? 502, headers: reply.headers },
        headers,
      )
      if (bent.status === 0) return void res.destroy()
      const kept = Object.entries(bent.headers).filter(
        ([name, value]) => value !== undefined && (body === undefined || name !== 'content-length'),
      )
      res.writeHead(bent.status, Object.fromEntries(kept) as Record<string, string | string[]>)
      if (body !== undefined) {
        reply.resume()
        return void res.end(body)
      }
      res.flushHeaders()
      reply.pipe(res)
    })
    ahead.once('error', () => res.destroy())
    res.once('close', () => ahead.destroy())
    req.pipe(ahead)
  })
  server.on('upgrade', (req, socket, head) => {
    const ahead = connect(Number(port), hostname)
    const lines = req.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []))
    ahead.write(`GET ${req.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    ahead.write(head)
    for (const one of [socket, ahead]) {
      open.add(one)
      one
        .on('error', () => {})
        .once('close', () => {
          open.delete(one)
          socket.destroy()
          ahead.destroy()
        })
    }
    ahead.pipe(socket).pipe(ahead)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}
