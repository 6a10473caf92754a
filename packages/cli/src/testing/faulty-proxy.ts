import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What a proxy gets wrong. */
export interface ProxyFaults {
  /** Sends its own address as `Host`. */
  readonly ownHost?: boolean
  /** Sends an upgrade on as a plain request. */
  readonly noUpgrade?: boolean
  /** Holds an answer back until all of it is there. */
  readonly buffers?: boolean
  /** The largest body that it takes, in bytes. */
  readonly maxBody?: number
}

/** A proxy of HTTP before a host on loopback. */
export async function openFaultyProxy(hostPort: number, faults: ProxyFaults = {}) {
  const server = createServer((asked, answer) => {
    const { maxBody = Number.POSITIVE_INFINITY } = faults
    if (Number(asked.headers['content-length'] ?? 0) > maxBody) {
      asked.resume()
      answer.writeHead(413, { 'content-type': 'text/html', connection: 'close' }).end('<h1>413</h1>')
      return
    }
    const { upgrade: _, connection: __, ...headers } = asked.headers
    const own = faults.ownHost && { host: `backend:${hostPort}` }
    const passed = request(
      {
        port: hostPort,
        host: '127.0.0.1',
        method: asked.method,
        path: asked.url,
        headers: { ...headers, ...own },
      },
      async (got) => {
        if (!faults.buffers) {
          answer.writeHead(got.statusCode ?? 502, got.headers)
          answer.flushHeaders()
          got.pipe(answer)
          return
        }
        const body = await buffer(got).catch(() => null)
        if (body) answer.writeHead(got.statusCode ?? 502, got.headers).end(body)
      },
    )
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  if (!faults.noUpgrade)
    server.on('upgrade', (asked, socket, head) => {
      const to = connect(hostPort, '127.0.0.1')
      const lines = Object.entries(asked.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
      to.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
      to.write(head)
      to.pipe(socket).pipe(to)
      for (const one of [to, socket]) one.on('error', () => one.destroy())
    })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
