import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A bare server that refuses each request unread and closes its connection: what an attacker costs at the least. */
const server = createServer((_req, res) => {
  res.writeHead(429, { connection: 'close', 'content-length': 0 }).end(() => res.socket?.destroy())
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
