import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** After how long it closes an idle connection: sooner than a host, which closes one after 5 s, maybe under a request. */
const IDLE_MS = 4_000

/** A load balancer in round-robin, as small as it can be. */
export interface Balancer {
  readonly port: number
  /** How many requests and upgrades each port got. */
  readonly counts: ReadonlyMap<number, number>
  /** Asks each host whether it is ready, and sends to no other from then on; a host that cannot be reached is not. */
  look(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens it before hosts on these ports. As others do, it keeps connections, and takes the next host where one could not be
 * connected to: then nothing was sent. Nothing else is sent twice. Without `upgrades` it passes on none, as some do.
 */
export async function openBalancer(
  ports: readonly number[],
  { upgrades = true }: { readonly upgrades?: boolean } = {},
): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
  const counts = new Map<number, number>()
  const upgraded = new Set<Socket>()
  let ready = ports
  let turn = 0

  function next(): number {
    const among = ready.length > 0 ? ready : ports
    turn += 1
    const port = among[turn % among.length] ?? 0
    counts.set(port, (counts.get(port) ?? 0) + 1)
    return port
  }

  function pass(near: IncomingMessage, answer: ServerResponse, left = ports.length): void {
    const far = request({
      host: '127.0.0.1',
      port: next(),
      agent,
      method: near.method,
      path: near.url,
      headers: near.headers,
    })
    far.on('response', (response) => {
      const { connection: _, ...headers } = response.headers
      answer.writeHead(response.statusCode ?? 502, headers)
      answer.flushHeaders()
      response.pipe(answer)
      response.on('error', () => answer.destroy())
    })
    far.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && left > 1) return pass(near, answer, left - 1)
      if (!answer.headersSent) answer.writeHead(502).end()
      else answer.destroy()
    })
    answer.on('close', () => far.destroy())
    if (near.method === 'GET' || near.method === 'HEAD') far.end()
    else near.pipe(far)
  }

  function join(near: IncomingMessage, socket: Socket, head: Buffer, left = ports.length): void {
    const far = connect(next(), '127.0.0.1')
    far.once('connect', () => {
      const lines = [`${near.method} ${near.url} HTTP/1.1`]
      for (let at = 0; at < near.rawHeaders.length; at += 2)
        lines.push(`${near.rawHeaders[at]}: ${near.rawHeaders[at + 1]}`)
      far.write(`${lines.join('\r\n')}\r\n\r\n`)
      far.write(head)
      far.pipe(socket).pipe(far)
      upgraded.add(socket)
    })
    const end = () => {
      upgraded.delete(socket)
      socket.destroy()
      far.destroy()
    }
    far.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && left > 1) join(near, socket, head, left - 1)
      else end()
    })
    far.on('close', () => far.connecting || socket.end())
    socket.on('error', end).on('close', end)
  }

  const server = createServer((near, answer) => pass(near, answer))
  server.on('upgrade', (near, socket, head) => {
    if (upgrades) join(near, socket as Socket, head)
    else socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    counts,
    async look() {
      const states = await Promise.all(
        ports.map(async (port) => {
          const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
          await response?.body?.cancel()
          return response?.ok === true
        }),
      )
      ready = ports.filter((_, at) => states[at])
    },
    async close() {
      for (const socket of upgraded) socket.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      agent.destroy()
    },
  }
}
